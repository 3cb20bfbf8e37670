import type { Json } from '../model';
import { Block, Call, type Expression, functionText, member, value } from './code';
import { stepsText, type Step } from './path';
import type { Container } from './plan';
import type { Member, ScopeCode } from './scope-code';

/** The function that reads an object of the hub as the spoke shows it: a line for each field of the spoke. */
export function fromHubFunction(code: ScopeCode): string {
  const body = new Block();
  code.readers(body, 'hub');
  body.line('const spoke: JsonObject = {};');
  for (const several of code.plan.several) {
    const name = code.several(several);
    const key = code.aside(code.severalKey(several));
    body.add(`const ${name}Shown = `, new Call(`${name}.get`, [code.values(several, 'hub'), key]));
  }
  new Showing(code, body).fields(code.plan.spoke);
  body.line('return spoke;');
  body.dropUnused();
  const hub = body.uses('hub') ? 'hub: JsonObject' : '_hub: JsonObject';
  return functionText(`${code.base}FromHub`, [hub, 'aside: JsonObject'], 'JsonObject', body);
}

class Showing {
  constructor(
    private readonly code: ScopeCode,
    private readonly body: Block,
  ) {}

  /** Sets the fields of an object of the spoke, in the order in which they are declared. */
  fields(holder: Container): void {
    const { code, body } = this;
    const target = code.variable('spoke', holder.steps);
    for (const name of code.declared(holder)) {
      const steps: Step[] = [...holder.steps, { kind: 'field', name }];
      const child = holder.children.find((one) => stepsText(one.steps) === stepsText(steps));
      // The defaults of an object inside come when it is known whether it is shown.
      const preset = holder.steps.length === 0 ? code.preset(steps) : undefined;
      if (child === undefined || child.kind !== 'object') {
        const own = this.supplied(steps);
        if (own !== undefined) code.set(body, target, name, this.withPreset(own, preset));
        else if (preset !== undefined) code.set(body, target, name, value(preset));
      }
      if (child !== undefined) this.container(child, target, name);
    }
    body.add('', code.call('addUndeclared', target, code.aside(code.key(holder, '*'))));
  }

  private container(child: Container, target: string, name: string): void {
    const { code, body } = this;
    const own = code.variable('spoke', child.steps);
    const linked = code.linkAt(child.steps) !== undefined;
    const before = linked ? member(target, name, code.use) : code.aside(code.key(child));
    const required = String(child.slot.required && child.steps.length === 1);
    if (child.kind === 'object') {
      body.line(`const ${own}: JsonObject = {};`);
      this.fields(child);
      const natural = child.pair === undefined ? required : code.present(child.pair, 'hub');
      code.set(body, target, name, code.call('ifShown', own, code.aside(code.key(child, '?')), natural));
      this.presets(child, `${member(target, name, code.use)} !== undefined`);
    } else if (child.kind === 'map') {
      body.line(`const ${own}: JsonObject = { ...${code.use('object')}(${before}) };`);
      for (const one of code.members('spoke', child)) this.member(own, one);
      code.set(body, target, name, code.call('ifShown', own, `${before} !== undefined`, required));
    } else {
      body.line(`let ${own}: ${code.use('Maybe')} = ${before};`);
      for (const one of code.members('spoke', child)) this.member(own, one);
      const args = required === 'true' ? [own, before, required] : [own, before];
      code.set(body, target, name, code.call('emptied', ...args));
    }
    const preset = target === 'spoke' ? code.preset(child.steps) : undefined;
    if (preset !== undefined) this.preset(body, target, name, preset);
  }

  /** An element or entry that rules name, put into its list or map. */
  private member(own: string, { steps, container }: Member): void {
    const { code, body } = this;
    const step = steps.at(-1)!;
    let shown: Expression = container === undefined ? this.supplied(steps)! : '';
    if (container !== undefined) {
      const fields = code.variable('spoke', steps);
      body.line(`const ${fields}: JsonObject = {};`);
      this.fields(container);
      shown = code.variable('shown', steps);
      body.add(
        `const ${shown} = `,
        code.call('ifShown', fields, code.aside(code.key(container, '?')), 'false'),
      );
      this.presets(container, `${shown} !== undefined`);
    }
    if (step.kind === 'entry') code.set(body, own, step.key, shown);
    if (step.kind !== 'element') return;
    const id = code.id(step, steps, 'spoke');
    body.add(`${own} = `, code.call('withElement', own, ...id, code.call('keyed', ...id, shown)));
  }

  private presets(holder: Container, condition: string): void {
    const target = this.code.variable('spoke', holder.steps);
    this.body.when(condition, (inner) => {
      for (const { name, value: preset } of holder.defaults) this.preset(inner, target, name, preset);
    });
  }

  private preset(body: Block, target: string, name: string, preset: Json): void {
    const { code } = this;
    code.set(body, target, name, code.call('orDefault', member(target, name, code.use), value(preset)));
  }

  /** What supplies a field of the spoke, as an expression; undefined for a field that is dropped. */
  private supplied(steps: Step[]): Expression | undefined {
    const { code } = this;
    const link = code.linkAt(steps);
    if (link !== undefined) {
      const hub = code.read('hub', link.hub);
      if (link.lens.kind === 'copy') return hub;
      return new Call(`${code.lens(link)}.get`, [hub, code.aside(code.key(link.spoke))]);
    }
    const several = code.severalAt(steps);
    if (several !== undefined)
      return member(`${code.several(several)}Shown`, code.nameIn(several, { steps }), code.use);
    return code.isAside({ steps }) ? code.aside(code.key({ steps })) : undefined;
  }

  private withPreset(supplied: Expression, preset: Json | undefined): Expression {
    if (preset === undefined) return supplied;
    return this.code.call('orDefault', supplied, value(preset));
  }
}
