import { Identifiers } from '../render/identifiers';
import { literal } from '../render/literal';
import type { Json } from '../model';
import { Block, Call, camel, type Expression, member, record, value } from './code';
import { findContainer } from './containers';
import type { Emitter } from './emit';
import type { Side } from './local-rules';
import { lastName, stepsBelow, stepsText, type Step } from './path';
import type { Container, Leaf, Link, ScopePlan, SeveralLink } from './plan';

/**
 * The objects that the functions of a scope read: of the hub `hub`, `stored`, `was` and `now`, of the spoke
 * `spoke` and `read`.
 */
export type Root = 'hub' | 'stored' | 'was' | 'now' | 'spoke' | 'read';

/** What the functions call their parameters and first constants. */
const LOCALS = ['hub', 'spoke', 'aside', 'before', 'at', 'failures', 'stored', 'read', 'kept', 'was', 'now'];

/** An element of a list or an entry of a map that rules name: an opened container, or a field of its own. */
export interface Member {
  steps: Step[];
  container: Container | undefined;
}

/** The words in which the functions of one scope are written: how its fields are read, called and kept. */
export class ScopeCode {
  private readonly locals = new Identifiers(LOCALS);
  private readonly names = new Map<string, string>();

  constructor(
    readonly emitter: Emitter,
    readonly plan: ScopePlan,
    /** What the functions' names start with. */
    readonly base: string,
  ) {}

  /** Notes that a name of the runtime is used, and returns it. */
  readonly use = (helper: string): string => this.emitter.use(helper);

  /** A call of a function of the runtime. */
  call(helper: string, ...args: Expression[]): Call {
    return new Call(this.use(helper), args);
  }

  /** `set(target, name, value)`. */
  set(body: Block, target: string, name: string, what: Expression): void {
    body.add('', this.call('set', target, value(name), what));
  }

  /** The local variable of a place: `storedNetwork`. */
  variable(root: string, steps: Step[], suffix = ''): string {
    if (steps.length === 0) return root;
    const text = stepsText(steps);
    const place = `${root} ${text} ${suffix}`;
    const known = this.names.get(place);
    if (known !== undefined) return known;
    const name = this.locals.claim(camel(root, text) + suffix);
    this.names.set(place, name);
    return name;
  }

  /** A place read below a root; the objects above it have their constants. */
  read(root: Root, { steps }: { steps: Step[] }): string {
    if (steps.length === 0) return root;
    const above = steps.slice(0, -1);
    const step = steps.at(-1)!;
    if (step.kind === 'element') {
      const id = this.id(step, steps, sideOf(root)).join(', ');
      const found = `${this.use('find')}(${this.read(root, { steps: above })}, ${id})`;
      const opened = this.containerAt(sideOf(root), steps) !== undefined;
      return opened ? found : `${this.use('unkeyed')}(${literal(step.key)}, ${found})`;
    }
    const holder = this.variable(root, above);
    if (step.kind === 'entry') return `${this.use('own')}(${holder}, ${literal(step.key)})`;
    return member(holder, lastName([step]), this.use);
  }

  /** Constants for the objects and maps of one side that fields are read from. */
  readers(body: Block, root: Root): void {
    const visit = (holder: Container): void => {
      for (const child of holder.children) {
        if (child.kind !== 'list') {
          body.add(
            `const ${this.variable(root, child.steps)} = `,
            this.call('object', this.read(root, child)),
          );
        }
        visit(child);
      }
    };
    visit(this.plan[sideOf(root)]);
  }

  /** Several fields as one object. */
  values(several: SeveralLink, root: Root): Call {
    const leaves = several[sideOf(root)];
    return this.call(
      'there',
      record(leaves.map((leaf) => [this.nameIn(several, leaf), this.read(root, leaf)])),
    );
  }

  /** What the functions of a rule over several fields call one of them. */
  nameIn({ rule }: SeveralLink, { steps }: { steps: Step[] }): string {
    return rule.name === 'custom' ? lastName(steps) : stepsText(steps);
  }

  /** What is kept aside under a key. */
  aside(key: string): string {
    return member('aside', key, this.use);
  }

  /** Under which key something of a container is kept aside: `?` its presence, `*` its undeclared members. */
  key({ steps }: { steps: Step[] }, suffix: '' | '?' | '*' = ''): string {
    const text = stepsText(steps);
    return suffix === '*' && text !== '' ? `${text}.*` : text + suffix;
  }

  /** Under which key the values of several fields are kept aside. */
  severalKey({ spoke }: SeveralLink): string {
    return spoke.map((leaf) => stepsText(leaf.steps)).join('+');
  }

  /** The lens of a link. */
  lens({ lens, spoke }: Link): string {
    return this.emitter.lens(lens, camel(this.base, stepsText(spoke.steps)));
  }

  /** The constant of a rule over several fields. */
  several(link: SeveralLink): string {
    return this.emitter.several(link, this.base);
  }

  /** Whether the spoke shows an object that both sides have, by what the hub has of it. */
  present(pair: Container, root: Root): Call {
    return this.call('present', this.read(root, pair), value(pair.elsewhere));
  }

  /** The pointer of a field in the spoke's document. */
  pointer(steps: Step[]): string {
    const parts = steps.map((step, i) => {
      if (step.kind !== 'element')
        return inTemplate(lastName([step]).replaceAll('~', '~0').replaceAll('/', '~1'));
      const list = this.read('spoke', { steps: steps.slice(0, i) });
      return `\${${this.use('position')}(${[list, ...this.id(step, steps.slice(0, i + 1), 'spoke')].join(', ')})}`;
    });
    return `\`\${at}/${parts.join('/')}\``;
  }

  /** The key of an element that rules name, and its value, as code. */
  id(step: Step & { kind: 'element' }, steps: Step[], side: Side): [key: string, value: string] {
    return [literal(step.key), literal(this.keyValue(step, steps, side))];
  }

  /** The value of the key of an element that rules name, in the type of the field. */
  keyValue(step: Step, steps: Step[], side: Side): string | number {
    if (step.kind !== 'element') return lastName([step]);
    const list = this.containerAt(side, steps.slice(0, -1));
    return list === undefined ? step.value : this.emitter.types.keyValue(list.slot, step.value);
  }

  /** The elements or entries of a list or map that rules name. */
  members(side: Side, holder: Container): Member[] {
    const { links, several, aside } = this.plan;
    const leaves = [...links.map((link) => link[side]), ...several.flatMap((one) => one[side])];
    const own = [...leaves, ...(side === 'spoke' ? aside : [])].filter(
      ({ steps }) =>
        steps.length === holder.steps.length + 1 && stepsBelow(steps, holder.steps) !== undefined,
    );
    return [
      ...holder.children.map((container) => ({ steps: container.steps, container })),
      ...own.map(({ steps }) => ({ steps, container: undefined })),
    ];
  }

  /** The names of the fields that an object's version declares. */
  declared({ slot }: Container): string[] {
    return (this.emitter.types.fields(slot.type) ?? []).map(({ name }) => name);
  }

  /** What the spoke shows where nothing supplies a field. */
  preset(steps: Step[]): Json | undefined {
    const holder = this.containerAt('spoke', steps.slice(0, -1));
    return holder?.defaults.find(({ name }) => name === lastName(steps))?.value;
  }

  containerAt(side: Side, steps: Step[]): Container | undefined {
    return findContainer(this.plan[side], steps);
  }

  linkAt(steps: Step[], side: Side = 'spoke'): Link | undefined {
    const text = stepsText(steps);
    return this.plan.links.find((link) => stepsText(link[side].steps) === text);
  }

  /** The nearest object at or above a place that both sides have, on the hub's side. */
  pairAbove(steps: Step[], side: Side): Container | undefined {
    for (let length = steps.length; length > 0; length--) {
      const found = this.containerAt(side, steps.slice(0, length));
      if (found?.pair !== undefined) return side === 'hub' ? found : found.pair;
    }
    return undefined;
  }

  isAside({ steps }: Pick<Leaf, 'steps'>): boolean {
    return this.plan.aside.some((leaf) => stepsText(leaf.steps) === stepsText(steps));
  }

  /** The rule over several fields that fills one of the spoke's. */
  severalAt(steps: Step[]): SeveralLink | undefined {
    return this.plan.several.find(({ spoke }) =>
      spoke.some((leaf) => stepsText(leaf.steps) === stepsText(steps)),
    );
  }
}

/** On which side a root is. */
export function sideOf(root: Root): Side {
  return root === 'spoke' || root === 'read' ? 'spoke' : 'hub';
}

function inTemplate(text: string): string {
  return text.replace(/[`\\$]/g, '\\$&');
}
