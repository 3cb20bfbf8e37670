import { type Call, Code, type Printable } from '../../code/literal';
import type { Json } from '../../model/project';
import { findContainer } from '../plan/containers';
import type { Container, Leaf, LensPlan, ObjectPlan, SeveralLink } from '../plan/plan';
import { fieldStep, lastName, type Step, stepsBelow, stepsText } from '../rules/path';
import type { Side } from '../rules/rule';
import type { Types } from '../rules/slot';

/** The words that the table of an object is written with. */
export interface Words {
  types: Types;
  /** A word of the runtime as it stands. */
  word(word: string): Code;
  /** A call of a word of the runtime. Arguments that are undefined are left out. */
  call(word: string, ...args: Printable[]): Call;
  lens(plan: LensPlan): Printable;
  /** A rule `custom` over several fields, with their paths. */
  custom(link: SeveralLink, hub: string[], spoke: string[]): Printable;
}

/** Writes the table of two objects: the source of each field of the spoke, and what is to be known besides. */
export class ObjectWriter {
  /** The spoke's paths of the links, as they stand in the table. */
  private readonly order: string[] = [];

  constructor(
    private readonly object: ObjectPlan,
    private readonly words: Words,
  ) {}

  /** The fields of the spoke's object, and the options; undefined where there are none. */
  parts(): [shape: Printable, options: Printable] {
    const { hub, links, several } = this.object;
    const shape = this.shape(this.object.spoke);
    const order = links.map(({ spoke }) => this.path('spoke', spoke.steps));
    const options = given({
      created: this.defaults(hub),
      hub: given(Object.fromEntries(this.hubObjects(hub))),
      together: unlessEmpty(several.map((link) => this.together(link))),
      order: order.join() === this.order.join() ? undefined : order,
    });
    return [shape, options];
  }

  private shape(holder: Container): { [name: string]: Printable } {
    const fields = this.fieldsOf(holder).map((steps): [string, Printable] => {
      const step = steps.slice(-1);
      const name = this.path('spoke', steps).slice(this.path('spoke', steps.slice(0, -1)).length);
      return [step[0].kind === 'field' ? step[0].name : name, this.source(holder, steps)];
    });
    return Object.fromEntries(fields.filter(([, source]) => source !== undefined));
  }

  /** The fields of an object in the order of their declaration; the elements or entries that rules name. */
  private fieldsOf(holder: Container): Step[][] {
    const { links, several, preserved, dropped } = this.object;
    if (holder.kind === 'object') {
      const names = (this.words.types.fields(holder.slot.type) ?? []).map(({ name }) => name);
      return names.map((name) => [...holder.steps, fieldStep(name)]);
    }
    const leaves = [
      ...links.map(({ spoke }) => spoke),
      ...several.flatMap(({ spoke }) => spoke),
      ...preserved,
      ...dropped,
    ];
    const inside = leaves.filter(
      ({ steps }) =>
        steps.length === holder.steps.length + 1 && stepsBelow(steps, holder.steps) !== undefined,
    );
    return [...holder.children, ...inside].map(({ steps }) => steps);
  }

  /** The source of a field; undefined for the key of an element. */
  private source(holder: Container, steps: Step[]): Printable {
    const preset = holder.defaults.find(({ name }) => name === lastName(steps));
    const source = this.supplied(steps);
    if (preset === undefined || source === undefined) return source;
    return this.words.call('orElse', source, preset.value);
  }

  private supplied(steps: Step[]): Printable {
    const { words } = this;
    const { links, several, preserved, dropped } = this.object;
    const text = stepsText(steps);
    const isHere = (leaf: Leaf): boolean => stepsText(leaf.steps) === text;
    const link = links.find(({ spoke }) => isHere(spoke));
    if (link !== undefined) this.order.push(this.path('spoke', steps));
    const linked = link && this.linked(link.hub.steps, text, link.lens);
    const container = findContainer(this.object.spoke, steps);
    if (container !== undefined) {
      const { pair, slot } = container;
      const options = given({
        required: (slot.required && steps.length === 1) || undefined,
        pair: pair && this.path('hub', pair.steps),
        rest: linked,
      });
      return words.call('group', this.shape(container), options);
    }
    if (link !== undefined) return linked;
    if (several.some(({ spoke }) => spoke.some(isHere))) return words.word('together');
    if (preserved.some(isHere)) return words.word('own');
    return dropped.some(isHere) ? words.word('dropped') : undefined;
  }

  private linked(hub: Step[], spokeText: string, plan: LensPlan): Printable {
    const path = this.path('hub', hub);
    const lens = this.words.lens(plan);
    if (path === spokeText) return lens;
    return this.words.call('from', path, plan.kind === 'copy' ? undefined : lens);
  }

  /** The objects, lists and maps of the hub in which rules name fields, outer ones first. */
  private hubObjects(holder: Container): [path: string, options: Printable][] {
    return holder.children.flatMap((child): [path: string, options: Printable][] => {
      const options = {
        required: child.slot.required || undefined,
        created: this.defaults(child),
        elsewhere: unlessEmpty(child.elsewhere),
      };
      return [[this.path('hub', child.steps), options], ...this.hubObjects(child)];
    });
  }

  private defaults({ defaults }: Container): { [name: string]: Json } | undefined {
    if (defaults.length === 0) return undefined;
    return Object.fromEntries(defaults.map(({ name, value }) => [name, value]));
  }

  private together(link: SeveralLink): Printable {
    const paths = (side: Side) => link[side].map(({ steps }) => this.path(side, steps));
    const [hub, spoke] = [paths('hub'), paths('spoke')];
    if (link.rule.name === 'custom') return this.words.custom(link, hub, spoke);
    const [one, other] = hub.length > 1 ? [hub, spoke[0]] : [hub[0], spoke];
    return this.words.call('join', one, other, link.rule.options.separator);
  }

  /** A path in the runtime's words: a string that looks like a number stands in quotes. */
  private path(side: Side, steps: Step[]): string {
    const quoted = steps.map((step, i): Step => {
      if (step.kind !== 'element') return step;
      const { slot } = findContainer(this.object[side], steps.slice(0, i))!;
      const value = this.words.types.keyValue(slot, step.value);
      const isPlain = typeof value === 'number' || (Number.isNaN(Number(value)) && !value.startsWith('"'));
      return isPlain ? step : { ...step, value: `"${value}"` };
    });
    return stepsText(quoted);
  }
}

/** A list, or nothing where it is empty. */
export function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Options, or nothing where none is given. */
export function given(options: { [name: string]: Printable }): { [name: string]: Printable } | undefined {
  return Object.values(options).some((option) => option !== undefined) ? options : undefined;
}
