import { literal } from '../render/literal';
import type { Json } from '../model';
import { Block, type Expression, functionText, member, value } from './code';
import { lastName, stepsBelow, type Step } from './path';
import type { Container, Leaf, Link, SeveralLink } from './plan';
import type { Member, ScopeCode } from './scope-code';

/**
 * The function that writes an object that a client sent through the spoke. It starts from the stored object, opens
 * the objects inside in which rules name fields, sets what the fields say, and closes them again.
 */
export function toHubFunction(code: ScopeCode): string {
  const body = new Block();
  new Writing(code, body).all();
  body.dropUnused();
  const used = ['stored', 'aside', 'read'].filter((name) => body.uses(name));
  if (used.length > 0) body.first(`const { ${used.join(', ')} } = before;`);
  const failing = body.uses('failures') ? ['at: string', `failures: ${code.use('Failure')}[]`] : [];
  const parameters = ['spoke: JsonObject', `before: ${code.use('Before')}`, ...failing];
  return functionText(`${code.base}ToHub`, parameters, code.use('Written'), body);
}

class Writing {
  constructor(
    private readonly code: ScopeCode,
    private readonly body: Block,
  ) {}

  all(): void {
    const { code, body } = this;
    const { links, several, aside, hub, spoke } = code.plan;
    for (const root of ['spoke', 'read', 'stored'] as const) code.readers(body, root);
    body.line('const hub: JsonObject = { ...stored };');
    body.line('const kept: JsonObject = {};');
    // A list or map is written before the single elements or entries that rules name are put into it.
    const selective = (link: Link) => code.containerAt('hub', link.hub.steps) !== undefined;
    for (const link of links.filter(selective)) this.link(link);
    this.open(hub);
    for (const link of links.filter((one) => !selective(one))) this.link(link);
    for (const one of several) this.several(one);
    for (const leaf of aside) code.set(body, 'kept', code.key(leaf), code.read('spoke', leaf));
    this.close(hub);
    this.keep(spoke);
    for (const link of links) this.markEmpty(link);
    body.when('before.made', (inner) => {
      for (const { name, value: preset } of hub.defaults) {
        code.set(inner, 'hub', name, code.call('orDefault', member('hub', name, code.use), value(preset)));
      }
    });
    body.line('return { hub, kept };');
  }

  private link(link: Link): void {
    const { code, body } = this;
    const { hub, spoke, lens } = link;
    const [sent, read, stored] = [
      code.read('spoke', spoke),
      code.read('read', spoke),
      code.read('stored', hub),
    ];
    if (lens.kind === 'copy') {
      const shown = code.preset(spoke.steps) === undefined ? [] : [read];
      this.place(hub, code.call('keep', sent, stored, ...shown));
      return;
    }
    const put = code.variable('', spoke.steps, 'Put');
    const aside = code.aside(code.key(spoke));
    const args = [code.lens(link), sent, read, stored, aside, code.pointer(spoke.steps), 'failures'];
    body.add(`const ${put} = `, code.call('update', ...args));
    this.place(hub, `${put}.hub`);
    code.set(body, 'kept', code.key(spoke), `${put}.kept`);
  }

  private several(several: SeveralLink): void {
    const { code, body } = this;
    const name = code.several(several);
    const values = (['spoke', 'read', 'stored'] as const).map((root) => code.values(several, root));
    const key = code.severalKey(several);
    const pointer = code.pointer(several.spoke[0].steps);
    body.add(
      `const ${name}Put = `,
      code.call('updateSeveral', name, ...values, code.aside(key), pointer, 'failures'),
    );
    for (const leaf of several.hub) {
      this.place(leaf, member(`${name}Put.hub`, code.nameIn(several, leaf), code.use));
    }
    code.set(body, 'kept', key, `${name}Put.kept`);
  }

  /** Puts a value to its place in the hub; an element waits for its list to be closed. */
  private place({ steps }: Leaf, what: Expression): void {
    const { code, body } = this;
    const step = steps.at(-1)!;
    if (step.kind === 'element') body.add(`const ${code.variable('new', steps)} = `, what);
    else code.set(body, code.variable('hub', steps.slice(0, -1)), lastName([step]), what);
  }

  /** Opens the objects and maps of the hub that rules name fields in. */
  private open(holder: Container): void {
    const { code, body } = this;
    for (const child of holder.children) {
      if (child.kind !== 'list') {
        const linked = code.linkAt(child.steps, 'hub') !== undefined;
        const from = linked
          ? member(code.variable('hub', holder.steps), lastName(child.steps), code.use)
          : code.read('stored', child);
        const pair = code.pairAbove(child.steps, 'hub');
        const sent = pair?.pair && !standsElsewhere(child, pair) ? pair.pair : undefined;
        const opened = sent
          ? `${code.use('opened')}(${from}, ${code.read('spoke', sent)}, ${code.read('read', sent)})`
          : `{ ...${code.use('object')}(${from}) }`;
        body.line(`const ${code.variable('hub', child.steps)}: JsonObject = ${opened};`);
      }
      this.open(child);
    }
  }

  /** Closes the containers of the hub below one, the inner ones first. */
  private close(holder: Container): void {
    const { code, body } = this;
    const target = code.variable('hub', holder.steps);
    for (const child of holder.children) {
      const own = code.variable('hub', child.steps);
      const link = code.linkAt(child.steps, 'hub');
      const stored = code.read('stored', child);
      // What is required comes with the object that it is in: always in the spec, here where there is one already.
      const there = holder.steps.length === 0 ? 'true' : `${code.read('stored', holder)} !== undefined`;
      const required = child.slot.required ? [there] : [];
      const made = required.length > 0 || child.defaults.length > 0 ? [this.made(child.defaults)] : [];
      if (child.kind === 'list') {
        body.line(`let ${own}: ${code.use('Maybe')} = ${member(target, lastName(child.steps), code.use)};`);
        for (const one of code.members('hub', child)) this.closeElement(own, one);
      } else this.close(child);
      const closed = (): Expression => {
        if (link !== undefined) return code.call('linked', own, code.read('spoke', link.spoke), ...required);
        if (child.kind === 'list') return code.call('emptied', own, stored, ...required);
        if (child.pair === undefined) return code.call('closed', own, stored, ...made, ...required);
        const pair = [code.read('spoke', child.pair), code.read('read', child.pair)];
        return code.call('placed', own, stored, ...pair, ...made, ...required);
      };
      code.set(body, target, lastName(child.steps), closed());
    }
  }

  private closeElement(own: string, { steps, container }: Member): void {
    const { code, body } = this;
    const step = steps.at(-1)!;
    if (step.kind !== 'element') return;
    const id = code.id(step, steps, 'hub');
    let element: Expression;
    if (container === undefined) element = code.call('keyed', ...id, code.variable('new', steps));
    else {
      this.close(container);
      const key = { name: step.key, value: code.keyValue(step, steps, 'hub') };
      const made = this.made([key, ...container.defaults]);
      element = code.call('closed', code.variable('hub', steps), code.read('stored', container), made);
    }
    body.add(`${own} = `, code.call('withElement', own, ...id, element));
  }

  /** What is kept aside of the containers of the spoke: presence, undeclared members, what no rule fills. */
  private keep(holder: Container): void {
    const { code, body } = this;
    if (holder.kind === 'object') {
      const root = holder.steps.length === 0;
      const fields = root
        ? `${code.base}Fields`
        : `new Set(${literal(code.declared(holder), { column: -100_000 })})`;
      code.set(
        body,
        'kept',
        code.key(holder, '*'),
        code.call('undeclared', code.variable('spoke', holder.steps), fields),
      );
    }
    for (const child of holder.children) {
      const sent = code.read('spoke', child);
      const linked = code.linkAt(child.steps) !== undefined;
      const members = code
        .members('spoke', child)
        .map(({ steps }) => code.keyValue(steps.at(-1)!, steps, 'spoke'));
      if (child.kind === 'object') this.keepPresence(child, sent);
      else if (!linked && child.kind === 'map') {
        code.set(body, 'kept', code.key(child), code.call('others', sent, value(members)));
      } else if (!linked && child.slot.type.kind === 'list') {
        code.set(
          body,
          'kept',
          code.key(child),
          code.call('residue', sent, value(child.slot.type.key!), value(members)),
        );
      }
      this.keep(child);
    }
  }

  private keepPresence(child: Container, sent: string): void {
    const { code, body } = this;
    const last = child.steps.at(-1)!;
    const own = last.kind === 'element' ? code.call('unkeyed', value(last.key), sent) : sent;
    const required = String(child.slot.required && child.steps.length === 1);
    const natural = child.pair === undefined ? required : code.present(child.pair, 'hub');
    const inside = code.plan.dropped.map(({ leaf }) => stepsBelow(leaf.steps, child.steps));
    const dropped = inside.flatMap((steps) => (steps?.length === 1 ? [lastName(steps)] : []));
    const presets = child.defaults.length === 0 ? [] : [this.made(child.defaults)];
    const args = dropped.length + presets.length === 0 ? [] : [value(dropped), ...presets];
    code.set(body, 'kept', code.key(child, '?'), code.call('presence', own, natural, ...args));
  }

  private markEmpty({ hub, spoke, lens }: Link): void {
    const { code, body } = this;
    if ((lens.kind !== 'list' && lens.kind !== 'mapOf') || lens.except.length === 0) return;
    body.add(
      '',
      code.call(
        'markEmpty',
        'kept',
        value(code.key(spoke)),
        code.read('spoke', spoke),
        code.read('hub', hub),
      ),
    );
  }

  private made(defaults: { name: string; value: Json }[]): Expression {
    return value(Object.fromEntries(defaults.map((one) => [one.name, one.value])));
  }
}

/** Whether all that the spoke shows of a container inside an object that both have stands outside that object. */
function standsElsewhere(child: Container, pair: Container): boolean {
  const [first] = stepsBelow(child.steps, pair.steps) ?? ([] as Step[]);
  return first !== undefined && pair.elsewhere.includes(lastName([first]));
}
