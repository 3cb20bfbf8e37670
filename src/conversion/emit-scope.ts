import type { Json } from '../model';
import { Identifiers } from '../identifiers';
import { literal } from '../literal';
import { Block, camel, inline, member } from './code';
import type { Emitter } from './emit';
import { lastName, stepsBelow, stepsText, type Step } from './path';
import type { Container, Leaf, Link, ScopePlan, SeveralLink } from './plan';

type Side = 'hub' | 'spoke';

/** What the functions call their parameters and first constants. */
const LOCALS = ['hub', 'spoke', 'aside', 'before', 'at', 'failures', 'stored', 'read', 'kept', 'was', 'now'];

/** Emits the three functions of a scope: straight lines, one or a few for each field. */
export class ScopeEmitter {
  private readonly locals = new Identifiers(LOCALS);
  private readonly names = new Map<string, string>();

  constructor(
    private readonly emitter: Emitter,
    private readonly scope: ScopePlan,
    /** What the functions' names start with. */
    private readonly base: string,
  ) {}

  emit(): void {
    const { emitter, base } = this;
    const fields = this.declared(this.scope.spoke);
    const start = `const ${base}Fields = new Set<string>(`;
    emitter.add(`${start}${literal(fields, { column: start.length, tail: 2 })});`);
    emitter.use('JsonObject');
    this.fromHub();
    this.toHub();
    this.carry();
    this.definition();
  }

  private fromHub(): void {
    const { base } = this;
    const body = new Block(2);
    this.readers(body, this.scope.hub, 'hub');
    body.line('const spoke: JsonObject = {};');
    for (const several of this.scope.several) {
      const name = this.severalName(several);
      body.call(`const ${name}Shown = `, `${name}.get`, [
        this.values(several.hub, 'hub'),
        this.aside(several),
      ]);
    }
    this.show(body, this.scope.spoke);
    body.line('return spoke;');
    this.function(`${base}FromHub`, ['hub: JsonObject', 'aside: JsonObject'], 'JsonObject', body);
  }

  /** Sets the fields of an object of the spoke, in the order in which they are declared. */
  private show(body: Block, holder: Container): void {
    const target = this.variable('spoke', holder.steps);
    for (const name of this.declared(holder)) {
      const steps: Step[] = [...holder.steps, { kind: 'field', name }];
      const child = holder.children.find((one) => stepsText(one.steps) === stepsText(steps));
      const preset = holder.defaults.find((one) => one.name === name);
      if (child === undefined || (child.kind !== 'object' && this.linkAt(steps))) {
        const value = this.shownValue(steps);
        const shown = holder.steps.length > 0 ? undefined : preset?.value;
        if (value !== undefined) this.set(body, target, name, this.withDefault(value, shown, steps));
        else if (shown !== undefined) this.set(body, target, name, inline(shown));
      }
      if (child !== undefined) this.showContainer(body, child, target, name);
    }
    body.line(
      `${this.use('addUndeclared')}(${target}, ${member('aside', this.key(holder.steps, '*'), this.use)});`,
    );
  }

  private showContainer(body: Block, child: Container, target: string, name: string): void {
    const own = this.variable('spoke', child.steps);
    const kept = member('aside', this.key(child.steps, child.kind === 'object' ? '?' : ''), this.use);
    const linked = child.kind !== 'object' && this.linkAt(child.steps) !== undefined;
    const before = linked ? member(target, name, this.use) : kept;
    if (child.kind === 'object') {
      body.line(`const ${own}: JsonObject = {};`);
      this.show(body, child);
      const natural = child.pair ? this.present(child.pair, 'hub') : String(child.slot.required);
      this.whenShown(body, child, [own, kept, natural], `${this.assign(target, name, own)};`);
    } else if (child.kind === 'map') {
      body.line(`const ${own}: JsonObject = { ...${this.use('object')}(${before}) };`);
      for (const entry of this.members(child)) this.showMember(body, own, entry);
      const natural = linked ? `${before} !== undefined` : String(child.slot.required);
      const flag = linked ? 'undefined' : `${before} !== undefined`;
      body.call('if (', this.use('shown'), [own, flag, natural], `) ${this.assign(target, name, own)};`);
    } else {
      body.line(`let ${own}: Maybe = ${before};`);
      this.emitter.use('Maybe');
      for (const element of this.members(child)) this.showMember(body, own, element);
      body.line(
        `${this.use('set')}(${target}, ${literal(name)}, ${this.use('emptied')}(${own}, ${before}${child.slot.required ? ', true' : ''}));`,
      );
    }
    const preset = target === 'spoke' ? this.presetOf(child.steps) : undefined;
    if (preset !== undefined) body.line(this.preset(target, name, preset));
  }

  /** What to do with an object of the spoke that is shown: its defaults first. */
  private whenShown(body: Block, child: Container, args: string[], then: string): void {
    if (child.defaults.length === 0) {
      if (then !== '') body.call('if (', this.use('shown'), args, `) ${then}`);
      return;
    }
    body.call('if (', this.use('shown'), args, ') {');
    const own = this.variable('spoke', child.steps);
    for (const { name, value } of child.defaults) body.line(`  ${this.preset(own, name, value)}`);
    if (then !== '') body.line(`  ${then}`);
    body.line('}');
  }

  private preset(target: string, name: string, value: Json): string {
    return `if (${member(target, name, this.use)} === undefined) ${this.assign(target, name, inline(value))};`;
  }

  /** An element or entry that rules name, put into its list or map. */
  private showMember(body: Block, own: string, { steps, child }: Member): void {
    const step = steps.at(-1)!;
    let value = child === undefined ? this.shownValue(steps)! : this.variable('spoke', steps);
    if (child !== undefined) {
      body.line(`const ${value}: JsonObject = {};`);
      this.show(body, child);
      const args = [value, member('aside', this.key(steps, '?'), this.use), 'false'];
      this.whenShown(body, child, args, '');
      value = `${this.use('shown')}(${args.join(', ')}) ? ${value} : undefined`;
    }
    if (step.kind === 'entry') this.set(body, own, step.key, value);
    else if (step.kind === 'element') {
      const id = this.id(step, steps, 'spoke');
      body.call(`${own} = `, this.use('withElement'), [
        own,
        ...id,
        `${this.use('keyed')}(${[...id, value].join(', ')})`,
      ]);
    }
  }

  /** What a field of the spoke shows, as an expression; undefined for a field that is dropped. */
  private shownValue(steps: Step[]): string | undefined {
    const text = stepsText(steps);
    const link = this.linkAt(steps);
    if (link !== undefined) {
      const hub = this.read('hub', link.hub);
      return link.lens.kind === 'copy' ? hub : `${this.lens(link)}.get(${hub}, ${this.aside(link)})`;
    }
    const several = this.scope.several.find((one) =>
      one.spoke.some((leaf) => stepsText(leaf.steps) === text),
    );
    if (several !== undefined)
      return member(`${this.severalName(several)}Shown`, this.memberOf(several, steps), this.use);
    const aside = this.scope.aside.some((leaf) => stepsText(leaf.steps) === text);
    return aside ? member('aside', text, this.use) : undefined;
  }

  private withDefault(value: string, preset: Json | undefined, steps: Step[]): string {
    if (preset === undefined) return value;
    const any = this.leafAt('spoke', steps)?.slot.type.kind === 'any';
    return any ? `${this.use('orDefault')}(${value}, ${inline(preset)})` : `${value} ?? ${inline(preset)}`;
  }

  /** What the spoke shows where nothing supplies a field. */
  private presetOf(steps: Step[]): Json | undefined {
    const holder = this.containerAt('spoke', steps.slice(0, -1));
    return holder?.defaults.find(({ name }) => name === lastName(steps))?.value;
  }

  private toHub(): void {
    const { base, scope } = this;
    const body = new Block(2);
    for (const [root, side] of [
      ['spoke', 'spoke'],
      ['read', 'spoke'],
      ['stored', 'hub'],
    ] as const) {
      this.readers(body, scope[side], root);
    }
    body.line('const hub: JsonObject = { ...stored };');
    body.line('const kept: JsonObject = {};');
    const selective = (link: Link) =>
      scope.hub.children.length > 0 && this.containerAt('hub', link.hub.steps) !== undefined;
    for (const link of scope.links.filter(selective)) this.write(body, link);
    this.openers(body, scope.hub);
    for (const link of scope.links.filter((one) => !selective(one))) this.write(body, link);
    for (const several of scope.several) this.writeSeveral(body, several);
    for (const leaf of scope.aside) this.set(body, 'kept', stepsText(leaf.steps), this.read('spoke', leaf));
    this.close(body, scope.hub);
    this.keepContainers(body, scope.spoke);
    for (const { hub, spoke, lens } of scope.links) {
      if ((lens.kind !== 'list' && lens.kind !== 'mapOf') || lens.except.length === 0) continue;
      const args = [
        'kept',
        literal(stepsText(spoke.steps)),
        this.read('spoke', spoke),
        this.read('hub', hub),
      ];
      body.call('', this.use('markEmpty'), args);
    }
    for (const { name, value } of scope.hub.defaults) {
      body.line(
        `if (before.made && ${member('hub', name, this.use)} === undefined) ${this.assign('hub', name, inline(value))};`,
      );
    }
    body.line('return { hub, kept };');
    this.emitter.use('Before');
    this.emitter.use('Written');
    body.dropUnused();
    const used = ['stored', 'aside', 'read'].filter((name) => body.uses(name));
    if (used.length > 0) body.lines.unshift(`  const { ${used.join(', ')} } = before;`);
    const failing = body.uses('failures') ? ['at: string', 'failures: Failure[]'] : [];
    if (failing.length > 0) this.emitter.use('Failure');
    this.function(`${base}ToHub`, ['spoke: JsonObject', 'before: Before', ...failing], 'Written', body);
  }

  private write(body: Block, link: Link): void {
    const [sent, stored] = [this.read('spoke', link.spoke), this.read('stored', link.hub)];
    if (link.lens.kind === 'copy') {
      const args =
        this.presetOf(link.spoke.steps) === undefined
          ? [sent, stored]
          : [sent, stored, this.read('read', link.spoke)];
      this.place(body, link.hub, `${this.use('keep')}(${args.join(', ')})`);
      return;
    }
    const local = this.local(link);
    const args = [
      this.lens(link),
      sent,
      this.read('read', link.spoke),
      stored,
      this.aside(link),
      this.pointer(link.spoke.steps),
      'failures',
    ];
    body.call(`const ${local} = `, this.use('update'), args);
    this.place(body, link.hub, `${local}.hub`);
    this.set(body, 'kept', stepsText(link.spoke.steps), `${local}.kept`);
  }

  private writeSeveral(body: Block, several: SeveralLink): void {
    const name = this.severalName(several);
    const old = `{ hub: ${this.values(several.hub, 'stored')}, kept: ${this.aside(several)}, read: ${this.values(several.spoke, 'read')} }`;
    body.call(`const ${name}Put = `, `${name}.put`, [
      this.values(several.spoke, 'spoke'),
      old,
      this.pointer(several.spoke[0].steps),
      'failures',
    ]);
    for (const leaf of several.hub)
      this.place(body, leaf, member(`${name}Put.hub`, this.memberOf(several, leaf.steps), this.use));
    this.set(body, 'kept', this.severalKey(several), `${name}Put.kept`);
  }

  /** Puts a value to its place in the hub; elements and entries wait for their list or map to be closed. */
  private place(body: Block, leaf: Leaf, value: string): void {
    const holder = leaf.steps.slice(0, -1);
    const step = leaf.steps.at(-1)!;
    if (step.kind === 'element') body.line(`const ${this.variable('new', leaf.steps)} = ${value};`);
    else this.set(body, this.variable('hub', holder), lastName([step]), value);
  }

  /** Closes the containers of the hub below one, the inner ones first. */
  private close(body: Block, holder: Container): void {
    const target = this.variable('hub', holder.steps);
    for (const child of holder.children) {
      const name = lastName(child.steps);
      const own = this.variable('hub', child.steps);
      const stored = this.read('stored', child);
      const linked = child.kind !== 'object' && this.linkAt(child.steps, 'hub') !== undefined;
      const required = child.slot.required ? ['true'] : [];
      if (child.kind === 'list') {
        body.line(`let ${own}: Maybe = ${member(target, name, this.use)};`);
        this.emitter.use('Maybe');
        for (const element of this.members(child)) this.closeElement(body, own, element);
        if (linked)
          this.set(
            body,
            target,
            name,
            this.use('linked') + `(${[own, this.sentOf(child), ...required].join(', ')})`,
          );
        else
          body.call('', this.use('set'), [
            target,
            literal(name),
            `${this.use('emptied')}(${[own, stored, ...required].join(', ')})`,
          ]);
        continue;
      }
      this.close(body, child);
      const made = required.length > 0 || child.defaults.length > 0 ? [this.made(child)] : [];
      if (linked)
        this.set(
          body,
          target,
          name,
          `${this.use('linked')}(${[own, this.sentOf(child), ...required].join(', ')})`,
        );
      else if (child.pair) {
        const sent = [this.read('spoke', child.pair), this.read('read', child.pair)];
        body.call('', this.use('set'), [
          target,
          literal(name),
          `${this.use('placed')}(${[own, stored, ...sent, ...made, ...required].join(', ')})`,
        ]);
      } else
        this.set(
          body,
          target,
          name,
          `${this.use('closed')}(${[own, stored, ...made, ...required].join(', ')})`,
        );
    }
  }

  /** What a client sent for the list or map of the spoke that belongs to one of the hub. */
  private sentOf(child: Container): string {
    return this.read('spoke', this.linkAt(child.steps, 'hub')!.spoke);
  }

  private closeElement(body: Block, own: string, { steps, child }: Member): void {
    const step = steps.at(-1)!;
    if (step.kind !== 'element') return;
    const id = this.id(step, steps, 'hub');
    let element: string;
    if (child === undefined)
      element = `${this.use('keyed')}(${[...id, this.variable('new', steps)].join(', ')})`;
    else {
      this.close(body, child);
      const key = { name: step.key, value: this.keyValue(step, steps, 'hub'), rule: undefined };
      const made = this.made({ ...child, defaults: [key, ...child.defaults] });
      element = `${this.use('closed')}(${this.variable('hub', steps)}, ${this.read('stored', child)}, ${made})`;
    }
    body.call(`${own} = `, this.use('withElement'), [own, ...id, element]);
  }

  /** What is kept aside of containers of the spoke: their presence, their undeclared members, what no rule fills. */
  private keepContainers(body: Block, holder: Container): void {
    if (holder.kind === 'object') {
      const at = holder.steps.length === 0 ? 'spoke' : this.variable('spoke', holder.steps);
      const fields =
        holder.steps.length === 0 ? `${this.base}Fields` : `new Set(${inline(this.declared(holder))})`;
      this.set(body, 'kept', this.key(holder.steps, '*'), `${this.use('undeclared')}(${at}, ${fields})`);
    }
    for (const child of holder.children) {
      const sent = this.read('spoke', child);
      const linked = this.linkAt(child.steps) !== undefined;
      const last = child.steps.at(-1)!;
      if (child.kind === 'object') {
        const value =
          last.kind === 'element' ? `${this.use('unkeyed')}(${literal(last.key)}, ${sent})` : sent;
        const natural = child.pair ? this.present(child.pair, 'hub') : String(child.slot.required);
        this.set(
          body,
          'kept',
          this.key(child.steps, '?'),
          `${this.use('presence')}(${[value, natural, ...this.droppedIn(child)].join(', ')})`,
        );
      } else if (child.kind === 'list' && !linked) {
        const filled = this.members(child).map(({ steps }) => this.keyValue(steps.at(-1)!, steps, 'spoke'));
        const key = child.slot.type.kind === 'list' ? child.slot.type.key! : '';
        this.set(
          body,
          'kept',
          stepsText(child.steps),
          `${this.use('residue')}(${sent}, ${literal(key)}, ${inline(filled)})`,
        );
      } else if (child.kind === 'map' && !linked) {
        const filled = this.members(child).map(({ steps }) => lastName(steps));
        this.set(body, 'kept', stepsText(child.steps), `${this.use('others')}(${sent}, ${inline(filled)})`);
      }
      this.keepContainers(body, child);
    }
  }

  private droppedIn(holder: Container): string[] {
    const inside = this.scope.dropped.map(({ leaf }) => stepsBelow(leaf.steps, holder.steps));
    const names = inside.flatMap((steps) => (steps?.length === 1 ? [lastName(steps)] : []));
    return names.length === 0 ? [] : [inline(names)];
  }

  private carry(): void {
    const { base, scope } = this;
    const body = new Block(2);
    this.readers(body, scope.hub, 'was');
    this.readers(body, scope.hub, 'now');
    body.line('const kept: JsonObject = {};');
    for (const link of scope.links) {
      if (link.lens.kind === 'copy') continue;
      const args = [this.read('was', link.hub), this.read('now', link.hub), this.aside(link)];
      this.set(body, 'kept', stepsText(link.spoke.steps), `${this.lens(link)}.carry(${args.join(', ')})`);
    }
    for (const several of scope.several) {
      const args = [this.values(several.hub, 'was'), this.values(several.hub, 'now'), this.aside(several)];
      body.call('', this.use('set'), [
        'kept',
        literal(this.severalKey(several)),
        `${this.severalName(several)}.carry(${args.join(', ')})`,
      ]);
    }
    for (const leaf of scope.aside) this.carryKey(body, stepsText(leaf.steps), leaf.steps);
    this.carryContainers(body, scope.spoke);
    body.line('return kept;');
    body.dropUnused();
    const hub = ['was', 'now'].map((name) => `${body.uses(name) ? '' : '_'}${name}: JsonObject`);
    this.function(`${base}Carry`, [...hub, 'aside: JsonObject'], 'JsonObject', body);
  }

  private carryContainers(body: Block, holder: Container): void {
    if (holder.kind === 'object') this.carryKey(body, this.key(holder.steps, '*'), holder.steps);
    for (const child of holder.children) {
      if (child.kind !== 'object') {
        if (this.linkAt(child.steps) === undefined) this.carryKey(body, stepsText(child.steps), child.steps);
      } else if (child.pair === undefined) {
        this.carryKey(body, this.key(child.steps, '?'), child.steps);
      } else {
        const key = this.key(child.steps, '?');
        const same = `${this.present(child.pair, 'was')} === ${this.present(child.pair, 'now')}`;
        body.line(
          `if (${same}) ${this.use('set')}(kept, ${literal(key)}, ${member('aside', key, this.use)});`,
        );
      }
      this.carryContainers(body, child);
    }
  }

  /** Something that only this spoke has stays, unless the hub lost the object that it is in. */
  private carryKey(body: Block, key: string, steps: Step[]): void {
    const pair = this.pairAbove(steps);
    const value = member('aside', key, this.use);
    const lost = pair && `${this.use('gone')}(${this.read('was', pair)}, ${this.read('now', pair)})`;
    this.set(body, 'kept', key, lost ? `${lost} ? undefined : ${value}` : value);
  }

  private definition(): void {
    const { base, scope } = this;
    const rows: string[] = [];
    const steps = (path: Step[], side: Side) =>
      inline(
        path.map((step, i) =>
          step.kind === 'element'
            ? { key: step.key, value: this.keyValue(step, path.slice(0, i + 1), side) }
            : lastName([step]),
        ),
      );
    for (const link of scope.links) {
      const lens = link.lens.kind === 'copy' ? '' : `, ${this.lens(link)}`;
      rows.push(`[${steps(link.hub.steps, 'hub')}, ${steps(link.spoke.steps, 'spoke')}${lens}]`);
    }
    for (const several of scope.several) {
      for (const leaf of several.hub)
        rows.push(
          `[${steps(leaf.steps, 'hub')}, ${steps(several.spoke[0].steps, 'spoke')}, ${this.use('whole')}]`,
        );
    }
    const pairs = (holder: Container): void => {
      const { pair } = holder;
      if (pair !== undefined) {
        rows.push(`[${steps(holder.steps, 'hub')}, ${steps(pair.steps, 'spoke')}, ${this.use('whole')}]`);
      }
      holder.children.forEach(pairs);
    };
    pairs(scope.hub);
    const lines = [
      `const ${base} = ${this.use('scope')}({`,
      `  fromHub: ${base}FromHub,`,
      `  toHub: ${base}ToHub,`,
      `  carry: ${base}Carry,`,
      ...(rows.length === 0
        ? ['  places: () => [],']
        : ['  places: () => [', ...rows.map((row) => `    ${row},`), '  ],']),
      '});',
    ];
    this.emitter.add(lines.join('\n'));
  }

  /** Constants for the containers of one side, read below a root: `stored`, `read`, `spoke`, `hub`, `was`, `now`. */
  private readers(body: Block, root: Container, name: string): void {
    const visit = (holder: Container): void => {
      for (const child of holder.children) {
        if (child.kind !== 'list') {
          const variable = this.variable(name, child.steps);
          body.line(`const ${variable} = ${this.use('object')}(${this.read(name, child)});`);
        }
        visit(child);
      }
    };
    visit(root);
  }

  /** Opens the objects and maps of the hub that rules name fields in. */
  private openers(body: Block, holder: Container): void {
    for (const child of holder.children) {
      const own = this.variable('hub', child.steps);
      const pair = this.pairAbove(child.steps, 'hub');
      if (child.kind !== 'list') {
        const last = child.steps.at(-1)!;
        const from =
          child.kind === 'map' && last.kind === 'field'
            ? member(this.variable('hub', child.steps.slice(0, -1)), last.name, this.use)
            : this.read('stored', child);
        const elsewhere =
          pair !== undefined &&
          pair !== child &&
          pair.elsewhere.includes(lastName(stepsBelow(child.steps, pair.steps)!.slice(0, 1)));
        const value =
          pair !== undefined && !elsewhere
            ? `${this.use('opened')}(${from}, ${this.read('spoke', pair.pair!)}, ${this.read('read', pair.pair!)})`
            : `{ ...${this.use('object')}(${from}) }`;
        body.line(`const ${own}: JsonObject = ${value};`);
      }
      this.openers(body, child);
    }
  }

  /** The nearest object at or above a place that both sides have. */
  private pairAbove(steps: Step[], side: Side = 'spoke'): Container | undefined {
    for (let length = steps.length; length > 0; length--) {
      const found = this.containerAt(side, steps.slice(0, length));
      if (found?.pair !== undefined) return side === 'hub' ? found : found.pair;
    }
    return undefined;
  }

  /** A place as an expression below a root; the objects above it have their constants. */
  private read(root: string, { steps }: { steps: Step[] }): string {
    if (steps.length === 0) return root;
    const side: Side = root === 'spoke' || root === 'read' ? 'spoke' : 'hub';
    const above = steps.slice(0, -1);
    const step = steps.at(-1)!;
    if (step.kind === 'element') {
      const found = `${this.use('find')}(${[this.read(root, { steps: above }), ...this.id(step, steps, side)].join(', ')})`;
      return this.containerAt(side, steps) ? found : `${this.use('unkeyed')}(${literal(step.key)}, ${found})`;
    }
    const holder = this.variable(root, above);
    return step.kind === 'entry'
      ? `${this.use('own')}(${holder}, ${literal(step.key)})`
      : member(holder, lastName([step]), this.use);
  }

  private present(pair: Container, when: 'hub' | 'was' | 'now'): string {
    return `${this.use('present')}(${this.read(when, pair)}, ${inline(pair.elsewhere)})`;
  }

  private values(leaves: Leaf[], root: string): string {
    const several = this.scope.several.find((one) => one.hub === leaves || one.spoke === leaves)!;
    const members = leaves.map(
      (leaf) => `${propertyName(this.memberOf(several, leaf.steps))}: ${this.read(root, leaf)}`,
    );
    return `${this.use('there')}({ ${members.join(', ')} })`;
  }

  private pointer(steps: Step[]): string {
    let pointer = '${at}';
    steps.forEach((step, i) => {
      if (step.kind !== 'element') {
        pointer += `/${lastName([step])
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')
          .replace(/[`\\$]/g, '\\$&')}`;
      } else {
        const list = this.read('spoke', { steps: steps.slice(0, i) });
        pointer += `/\${${this.use('position')}(${[list, ...this.id(step, steps.slice(0, i + 1), 'spoke')].join(', ')})}`;
      }
    });
    return `\`${pointer}\``;
  }

  private made({ defaults }: Container): string {
    return defaults.length === 0
      ? '{}'
      : inline(Object.fromEntries(defaults.map(({ name, value }) => [name, value])));
  }

  private id(step: Step & { kind: 'element' }, steps: Step[], side: Side): [key: string, value: string] {
    return [literal(step.key), literal(this.keyValue(step, steps, side))];
  }

  private keyValue(step: Step, steps: Step[], side: Side): string | number {
    if (step.kind !== 'element') return lastName([step]);
    const list = this.containerAt(side, steps.slice(0, -1));
    return list === undefined ? step.value : this.emitter.types.keyValue(list.slot, step.value);
  }

  /** The elements or entries of a list or map that rules name: containers, and fields of their own. */
  private members(holder: Container): Member[] {
    const side: Side = this.isBelow(this.scope.spoke, holder) ? 'spoke' : 'hub';
    const found: Member[] = holder.children.map((child) => ({ steps: child.steps, child }));
    const leaves = [
      ...this.scope.links.map((link) => link[side]),
      ...this.scope.several.flatMap((one) => one[side]),
      ...(side === 'spoke' ? this.scope.aside : []),
    ];
    for (const { steps } of leaves) {
      if (stepsText(steps.slice(0, -1)) === stepsText(holder.steps) && steps.length > 0)
        found.push({ steps, child: undefined });
    }
    return found;
  }

  private isBelow(root: Container, sought: Container): boolean {
    return root === sought || root.children.some((child) => this.isBelow(child, sought));
  }

  private declared(holder: Container): string[] {
    return (this.emitter.types.fields(holder.slot.type) ?? []).map(({ name }) => name);
  }

  private containerAt(side: Side, steps: Step[]): Container | undefined {
    const text = stepsText(steps);
    const visit = (at: Container): Container | undefined => {
      if (stepsText(at.steps) === text) return at;
      for (const child of at.children) {
        const found = visit(child);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return visit(this.scope[side]);
  }

  private linkAt(steps: Step[], side: Side = 'spoke'): Link | undefined {
    const text = stepsText(steps);
    return this.scope.links.find((link) => stepsText(link[side].steps) === text);
  }

  private leafAt(side: Side, steps: Step[]): Leaf | undefined {
    const text = stepsText(steps);
    const { links, several, aside } = this.scope;
    return [...links.map((link) => link[side]), ...several.flatMap((one) => one[side]), ...aside].find(
      (leaf) => stepsText(leaf.steps) === text,
    );
  }

  private aside(of: Link | SeveralLink): string {
    return member('aside', 'lens' in of ? stepsText(of.spoke.steps) : this.severalKey(of), this.use);
  }

  private severalKey(several: SeveralLink): string {
    return several.spoke.map((leaf) => stepsText(leaf.steps)).join('+');
  }

  /** What the functions of a rule over several fields call one of them. */
  private memberOf({ rule }: SeveralLink, steps: Step[]): string {
    return rule.name === 'custom' ? lastName(steps) : stepsText(steps);
  }

  private lens(link: Link): string {
    return this.emitter.lens(link.lens, camel(this.base, stepsText(link.spoke.steps)));
  }

  private local(link: Link): string {
    return this.variable('', link.spoke.steps, 'Put');
  }

  private severalName(several: SeveralLink): string {
    return this.emitter.several(several, this.base);
  }

  /** The local variable of a place: `storedNetwork`. */
  private variable(root: string, steps: Step[], suffix = ''): string {
    if (steps.length === 0) return root;
    const text = stepsText(steps);
    const place = `${root} ${text} ${suffix}`;
    const known = this.names.get(place);
    if (known !== undefined) return known;
    const name = this.locals.claim(camel(root, text) + suffix);
    this.names.set(place, name);
    return name;
  }

  private key(steps: Step[], suffix: string): string {
    const text = stepsText(steps);
    return text === '' ? suffix : suffix === '*' ? `${text}.*` : `${text}${suffix}`;
  }

  private set(body: Block, target: string, name: string, value: string): void {
    body.call('', this.use('set'), [target, literal(name), value]);
  }

  private assign(target: string, name: string, value: string): string {
    return `${member(target, name, (helper) => helper).replace(/^own\(.*$/, `${target}[${literal(name)}]`)} = ${value}`;
  }

  private function(name: string, parameters: string[], result: string, body: Block): void {
    body.dropUnused();
    const flat = `function ${name}(${parameters.join(', ')}): ${result} {`;
    const broken = `function ${name}(\n${parameters.map((one) => `  ${one},\n`).join('')}): ${result} {`;
    this.emitter.add(`${flat.length <= 110 ? flat : broken}\n${body.lines.join('\n')}\n}`);
  }

  private readonly use = (helper: string): string => this.emitter.use(helper);
}

interface Member {
  steps: Step[];
  child: Container | undefined;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}
