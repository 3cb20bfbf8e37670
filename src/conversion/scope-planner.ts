import { fits, filled } from './fits';
import { isStatic, lastName, stepsBelow, stepsText, type Step } from './path';
import type { Container, Leaf, LensPlan, Link, ScopePlan } from './plan';
import type { LocalRule, Planner } from './planner';
import type { Rule } from './rule';
import type { Slot } from './slot';
import { typeName } from './slot';

type Side = 'hub' | 'spoke';

/** Plans two objects: which fields belong together, by rule or by path, and what becomes of the others. */
export function planScope(
  planner: Planner,
  name: string,
  hub: Slot,
  spoke: Slot,
  rules: LocalRule[],
): ScopePlan {
  return new ScopePlanner(planner, name, { hub, spoke }, rules).plan();
}

class ScopePlanner {
  private readonly left: Set<LocalRule>;
  private readonly claims = { hub: new Map<string, LocalRule>(), spoke: new Map<string, LocalRule>() };
  private readonly scope: ScopePlan;

  constructor(
    private readonly planner: Planner,
    name: string,
    private readonly roots: { hub: Slot; spoke: Slot },
    rules: LocalRule[],
  ) {
    this.left = new Set(rules);
    this.scope = {
      name,
      hub: container([], roots.hub),
      spoke: container([], roots.spoke),
      links: [],
      several: [],
      aside: [],
      dropped: [],
      hidden: [],
    };
  }

  plan(): ScopePlan {
    this.claim();
    this.match([], [], this.roots.hub, this.roots.spoke);
    const depth = ({ hub, spoke }: LocalRule) => Math.min(...[...hub, ...spoke].map((path) => path.length));
    const local = [...this.left]
      .filter((one) => one.rule.name !== 'default' && this.isLocal(one))
      .sort((one, other) => depth(one) - depth(other));
    for (const one of local) if (this.left.has(one)) this.explicit(one);
    this.defaults();
    for (const one of this.left) this.leftOver(one);
    for (const side of ['hub', 'spoke'] as const)
      this.scope.links.sort(byField(this.roots[side], side, this.planner));
    this.standsElsewhere();
    return this.scope;
  }

  /** Which fields rules name; two rules for one field are a problem. */
  private claim(): void {
    for (const one of this.left) {
      if (one.rule.name === 'default' || !this.isLocal(one)) continue;
      for (const side of ['hub', 'spoke'] as const) {
        one[side].forEach((path, i) => {
          const text = stepsText(path);
          const other = this.claims[side].get(text);
          if (other === undefined) this.claims[side].set(text, one);
          else {
            this.left.delete(one);
            this.planner.used.add(one.rule);
            const at = one[side].length > 1 ? [side, i] : [side];
            this.problem(
              one.rule,
              at,
              `${this.text(side, path)} is named by two rules`,
              `a field is named by at most one rule besides default; the other is the ${other.rule.name} in entry ${other.rule.index + 1}`,
            );
          }
        });
      }
    }
  }

  /** The fields of two objects that belong together by name, at any depth. */
  private match(hubSteps: Step[], spokeSteps: Step[], hub: Slot, spoke: Slot): void {
    const { types } = this.planner;
    const [hubFields, spokeFields] = [types.fields(hub.type)!, types.fields(spoke.type)!];
    const free = (side: Side, steps: Step[], name: string, fields: typeof hubFields) =>
      fields.some((field) => field.name === name) &&
      !this.claims[side].has(stepsText([...steps, { kind: 'field', name }]));
    for (const field of hubFields) {
      if (!free('hub', hubSteps, field.name, hubFields)) continue;
      const leaf = { steps: [...hubSteps, step(field.name)], slot: types.field(hub, field) };
      const twin =
        free('spoke', spokeSteps, field.name, spokeFields) &&
        spokeFields.find(({ name }) => name === field.name);
      if (twin)
        this.link(
          leaf,
          { steps: [...spokeSteps, step(field.name)], slot: types.field(spoke, twin) },
          undefined,
        );
      else this.hubOnly(leaf);
    }
    for (const field of spokeFields) {
      if (!free('spoke', spokeSteps, field.name, spokeFields) || free('hub', hubSteps, field.name, hubFields))
        continue;
      this.spokeOnly({ steps: [...spokeSteps, step(field.name)], slot: types.field(spoke, field) });
    }
  }

  /** Two fields that belong together by path, or by a rule between one field and one other. */
  private link(hub: Leaf, spoke: Leaf, own: LocalRule | undefined): void {
    const { types } = this.planner;
    const renamed = own === undefined || own.rule.name === 'rename';
    const objects =
      renamed && types.fields(hub.slot.type) !== undefined && types.fields(spoke.slot.type) !== undefined;
    if (objects && this.crosses(hub.steps, spoke.steps)) {
      const [one, other] = [this.open('hub', hub.steps), this.open('spoke', spoke.steps)];
      one.pair = other;
      other.pair = one;
      this.match(hub.steps, spoke.steps, hub.slot, spoke.slot);
      return;
    }
    const lens = this.lens(hub, spoke, own?.rule);
    if (lens === undefined) return;
    this.open('hub', hub.steps.slice(0, -1));
    this.open('spoke', spoke.steps.slice(0, -1));
    this.scope.links.push({ hub, spoke, lens, rule: own?.rule });
  }

  private lens(hub: Leaf, spoke: Leaf, rule: Rule | undefined): LensPlan | undefined {
    const { planner } = this;
    const kind = hub.slot.type.kind;
    const selective = (rule === undefined || rule.name === 'rename') && kind === spoke.slot.type.kind;
    const [hubSlot, spokeSlot] = [withoutKey(hub, planner), withoutKey(spoke, planner)];
    if (selective && (kind === 'list' || kind === 'map')) {
      const chosen = this.chosen(hub.steps, spoke.steps);
      if (chosen.hub.length + chosen.spoke.length + chosen.both.length > 0)
        return this.selective(hub, spoke, chosen, rule);
    }
    const inside = this.take(hub.steps, spoke.steps);
    if (rule === undefined) return planner.pair(hubSlot, spokeSlot, inside, undefined);
    return planner.byRule(rule, hubSlot, spokeSlot, inside);
  }

  /** A list or map of which rules name single elements or entries: the others are converted by the list's lens. */
  private selective(hub: Leaf, spoke: Leaf, chosen: Chosen, rule: Rule | undefined): LensPlan | undefined {
    const { planner } = this;
    const list = hub.slot.type.kind === 'list';
    const special = chosen.both.map((selector): [string, LocalRule[]] => [
      selectorValue(selector),
      this.take([...hub.steps, selector], [...spoke.steps, selector]),
    ]);
    if (list && chosen.spoke.length > 0) {
      const one = [...this.left].find(({ spoke: paths }) =>
        paths.some((path) => stepsBelow(path, [...spoke.steps, chosen.spoke[0]])),
      )!;
      this.problem(
        one.rule,
        ['spoke'],
        `${spoke.slot.text} is in both versions: one of its elements cannot stand for another field of the storage version`,
        'use custom for the list and the field',
      );
      return undefined;
    }
    const inside = this.take(hub.steps, spoke.steps);
    const values = (selectors: Step[]) => selectors.map(selectorValue);
    return list
      ? planner.lists(hub.slot, spoke.slot, inside, { except: values(chosen.hub), special }, rule)
      : planner.maps(
          hub.slot,
          spoke.slot,
          inside,
          { except: values(chosen.hub), skip: values(chosen.spoke), special },
          rule,
        );
  }

  /** Which single elements or entries of two lists or maps rules name: on one side, or the same one on both. */
  private chosen(hub: Step[], spoke: Step[]): Chosen {
    const next = (paths: Step[][], above: Step[]) =>
      paths
        .map((path) => stepsBelow(path, above)?.[0])
        .find((one) => one?.kind === 'element' || one?.kind === 'entry');
    const found: Chosen = { hub: [], spoke: [], both: [] };
    const add = (where: Step[], selector: Step) => {
      if (!where.some((one) => stepsText([one]) === stepsText([selector]))) where.push(selector);
    };
    for (const one of this.left) {
      if (one.hub.length === 0 || one.spoke.length === 0) continue;
      const [ours, theirs] = [next(one.hub, hub), next(one.spoke, spoke)];
      if (ours && theirs && selectorValue(ours) === selectorValue(theirs)) add(found.both, ours);
      else {
        if (ours) add(found.hub, ours);
        if (theirs) add(found.spoke, theirs);
      }
    }
    return found;
  }

  /** Whether a rule joins a field below one of two objects with a field that is not below the other. */
  private crosses(hub: Step[], spoke: Step[]): boolean {
    const under = (path: Step[], above: Step[]) =>
      path.length > above.length && stepsBelow(path, above) !== undefined;
    return [...this.left].some((one) => {
      if (one.hub.length === 0 || one.spoke.length === 0) return false;
      const all = [
        ...one.hub.map((path) => under(path, hub)),
        ...one.spoke.map((path) => under(path, spoke)),
      ];
      return all.includes(true) && all.includes(false);
    });
  }

  /** The rules below two fields, with their paths from there; they are done with here. */
  private take(hub: Step[], spoke: Step[]): LocalRule[] {
    const taken: LocalRule[] = [];
    for (const one of this.left) {
      const hubPaths = one.hub.map((path) => stepsBelow(path, hub));
      const spokePaths = one.spoke.map((path) => stepsBelow(path, spoke));
      const paths = [...hubPaths, ...spokePaths];
      if (paths.includes(undefined) || paths.every((path) => path!.length === 0)) continue;
      if (paths.some((path) => path![0]?.kind === 'element' || path![0]?.kind === 'entry')) continue;
      if (
        paths.some((path) => path!.length === 0) &&
        !paths.some((path) => path!.length > 0 && !isStatic(path!))
      )
        continue;
      this.left.delete(one);
      this.planner.used.add(one.rule);
      taken.push({ rule: one.rule, hub: hubPaths as Step[][], spoke: spokePaths as Step[][] });
    }
    return taken;
  }

  /** A field that only the hub has; an object in which rules name fields is opened. */
  private hubOnly(leaf: Leaf): void {
    const inside = this.inside('hub', leaf.steps).filter(({ spoke }) => spoke.length > 0);
    if (inside.length > 0) {
      this.open('hub', leaf.steps);
      this.each('hub', leaf, (child) => this.hubOnly(child));
      return;
    }
    this.scope.hidden.push(leaf);
    const { slot } = leaf;
    const preset = slot.default;
    const supplied = preset !== undefined || this.hasDefault('hub', leaf.steps);
    if (preset !== undefined && leaf.steps.length > 1) {
      this.open('hub', leaf.steps.slice(0, -1)).defaults.push({
        name: lastName(leaf.steps),
        value: filled(preset, slot, this.planner.types),
        rule: undefined,
      });
    }
    this.planner.oneSided.push({ side: 'hub', slot, missing: slot.required && !supplied });
  }

  /** A field that only the spoke has. */
  private spokeOnly(leaf: Leaf): void {
    if (this.inside('spoke', leaf.steps).length > 0) {
      this.open('spoke', leaf.steps);
      this.each('spoke', leaf, (child) => this.spokeOnly(child));
      return;
    }
    this.scope.aside.push(leaf);
    this.open('spoke', leaf.steps.slice(0, -1));
    const { slot } = leaf;
    const supplied = slot.default !== undefined || this.hasDefault('spoke', leaf.steps);
    this.planner.oneSided.push({ side: 'spoke', slot, missing: slot.required && !supplied });
  }

  /** Calls back for the fields of an opened object, or of the elements and entries that rules name. */
  private each(side: Side, { steps, slot }: Leaf, visit: (child: Leaf) => void): void {
    const { types } = this.planner;
    const fields = types.fields(slot.type);
    if (fields !== undefined) {
      const last = steps.at(-1);
      for (const field of fields) {
        const child = { steps: [...steps, step(field.name)], slot: types.field(slot, field) };
        const isKey = last?.kind === 'element' && last.key === field.name;
        if (!isKey && !this.claims[side].has(stepsText(child.steps))) visit(child);
      }
      return;
    }
    const selectors = new Map<string, Step>();
    for (const one of this.inside(side, steps)) {
      for (const path of one[side]) {
        const [next] = stepsBelow(path, steps) ?? [];
        if (next?.kind === 'element' || next?.kind === 'entry') selectors.set(stepsText([next]), next);
      }
    }
    for (const selector of selectors.values()) {
      const child = { steps: [...steps, selector], slot: types.step(slot, selector) as Slot };
      if (this.claims[side].has(stepsText(child.steps))) continue;
      this.open(side, child.steps);
      this.each(side, child, visit);
    }
  }

  /** The rules that name a field strictly below a place, on one side. */
  private inside(side: Side, steps: Step[]): LocalRule[] {
    return [...this.left].filter((one) =>
      one[side].some(
        (path) => path.length > steps.length && isStatic(path) && stepsBelow(path, steps) !== undefined,
      ),
    );
  }

  /** A rule whose fields are all in this scope, not below a list or map of it. */
  private explicit(one: LocalRule): void {
    this.left.delete(one);
    this.planner.used.add(one.rule);
    const hub = this.leaves('hub', one);
    const spoke = this.leaves('spoke', one);
    if (hub === undefined || spoke === undefined) return;
    const { rule } = one;
    if (rule.name === 'drop') {
      const [leaf] = spoke;
      this.open('spoke', leaf.steps.slice(0, -1));
      this.scope.dropped.push({ leaf, rule });
      if (leaf.slot.required && leaf.slot.default === undefined && !this.hasDefault('spoke', leaf.steps)) {
        this.problem(
          rule,
          [],
          `${leaf.slot.text} is required in this version: dropped, it could never be shown`,
          `add \`- default: { spoke: ${leaf.slot.text}, value: … }\``,
        );
      }
    } else if (rule.name === 'custom' || hub.length > 1 || spoke.length > 1) {
      this.several(rule, hub, spoke);
    } else {
      this.link(hub[0], spoke[0], one);
    }
  }

  private several(rule: Rule, hub: Leaf[], spoke: Leaf[]): void {
    const all = [...hub, ...spoke];
    if (rule.name === 'join') {
      if (hub.length > 1 && spoke.length > 1) {
        this.problem(
          rule,
          [],
          'join has several fields on both sides',
          'one side is one string; use custom for more',
        );
        return;
      }
      const other = all.find(({ slot }) => slot.type.kind !== 'string');
      if (other !== undefined) {
        this.problem(
          rule,
          [],
          `join converts strings; ${other.slot.text} is of type ${typeName(other.slot.type)}`,
          'use custom',
        );
        return;
      }
    } else {
      for (const leaves of [hub, spoke]) {
        const names = leaves.map(({ steps }) => lastName(steps));
        const twice = names.find((name, i) => name === '' || names.indexOf(name) !== i);
        if (twice === undefined) continue;
        this.problem(
          rule,
          [leaves === hub ? 'hub' : 'spoke'],
          twice === '' ? 'custom names fields' : `two fields of custom are called ${twice}`,
          'the functions know each field by its last step',
        );
        return;
      }
    }
    for (const inside of this.left) {
      const hit = all.find(({ steps }) =>
        [...inside.hub, ...inside.spoke].some(
          (path) =>
            path.length > steps.length &&
            stepsBelow(path, steps) !== undefined &&
            (hub.some((leaf) => leaf.steps === steps) ? inside.hub : inside.spoke).includes(path),
        ),
      );
      if (hit === undefined) continue;
      this.left.delete(inside);
      this.planner.used.add(inside.rule);
      this.problem(
        inside.rule,
        [],
        `a rule below ${hit.slot.text}, which the rule ${rule.name} converts as a whole`,
        'a field is named by at most one rule besides default; remove one of the two',
      );
    }
    hub.forEach(({ steps }) => this.open('hub', steps.slice(0, -1)));
    spoke.forEach(({ steps }) => this.open('spoke', steps.slice(0, -1)));
    this.scope.several.push({ hub, spoke, rule });
  }

  /** The rules `default`, and the field defaults that the spoke shows. */
  private defaults(): void {
    for (const one of [...this.left]) {
      if (one.rule.name !== 'default' || !this.isLocal(one)) continue;
      const side: Side = one.hub.length > 0 ? 'hub' : 'spoke';
      const [leaf] = this.leaves(side, one) ?? [];
      this.left.delete(one);
      this.planner.used.add(one.rule);
      if (leaf === undefined) continue;
      const value = one.rule.options.value!;
      const name = lastName(leaf.steps);
      const holder = find(this.scope[side], leaf.steps.slice(0, -1));
      if (!fits(value, leaf.slot, this.planner.types)) {
        this.problem(
          one.rule,
          ['value'],
          `the value does not fit ${leaf.slot.text}`,
          `it is of type ${typeName(leaf.slot.type)}`,
        );
      } else if (holder === undefined || name === '') {
        const hint =
          side === 'hub'
            ? 'the rule applies where a write through this version makes the object that holds the field'
            : 'give the object that holds the field a default instead';
        this.problem(
          one.rule,
          [side],
          side === 'hub'
            ? `no write through this version makes what holds ${leaf.slot.text}`
            : `nothing shows what holds ${leaf.slot.text}`,
          hint,
        );
      } else if (holder.defaults.some((preset) => preset.name === name && preset.rule !== undefined)) {
        this.problem(one.rule, [side], `${leaf.slot.text} has two defaults`, 'remove one of the two');
      } else {
        holder.defaults = holder.defaults.filter((preset) => preset.name !== name);
        holder.defaults.push({ name, value: filled(value, leaf.slot, this.planner.types), rule: one.rule });
      }
    }
    this.fieldDefaults(this.scope.spoke);
    for (const side of ['hub', 'spoke'] as const) this.scope[side].children.forEach(requiredInside);
  }

  private fieldDefaults(spoke: Container): void {
    for (const field of this.planner.types.fields(spoke.slot.type) ?? []) {
      const leaf = stepsText([...spoke.steps, step(field.name)]);
      const dropped = this.scope.dropped.some((one) => stepsText(one.leaf.steps) === leaf);
      if (dropped || field.default === undefined || spoke.defaults.some(({ name }) => name === field.name))
        continue;
      spoke.defaults.push({
        name: field.name,
        value: filled(field.default, field, this.planner.types),
        rule: undefined,
      });
    }
    spoke.children.forEach((child) => this.fieldDefaults(child));
  }

  private hasDefault(side: Side, steps: Step[]): boolean {
    return [...this.left].some(
      ({ rule, [side]: paths }) =>
        rule.name === 'default' && paths.some((path) => stepsText(path) === stepsText(steps)),
    );
  }

  /** A rule that found no place: its lists or maps do not belong together, or nothing makes what it names. */
  private leftOver(one: LocalRule): void {
    this.planner.used.add(one.rule);
    const { rule } = one;
    const [hub, spoke] = [one.hub[0], one.spoke[0]];
    if (hub === undefined || spoke === undefined) {
      const side: Side = hub === undefined ? 'spoke' : 'hub';
      const text = this.text(side, one[side][0]);
      this.problem(
        rule,
        [side],
        `no write through this version makes what holds ${text}`,
        'its list or map belongs to no other; a rename would join the two',
      );
      return;
    }
    const several = one.hub.length > 1 || one.spoke.length > 1;
    const lists = [upToEach(hub), upToEach(spoke)];
    const [ours, theirs] = [this.text('hub', lists[0]), this.text('spoke', lists[1])];
    const hint = several
      ? 'all fields of the rule are in the same object, or in the same elements of two lists that belong together'
      : lists.every((path) => path.length > 0 && path.length < Math.max(hub.length, spoke.length)) &&
          stepsText(lists[0]) !== stepsText(hub)
        ? `join the two first: \`- rename: { hub: ${ours}, spoke: ${theirs} }\``
        : 'both paths go through the same lists and maps; use wrap for a list and its element, index for a map and a list';
    this.problem(
      rule,
      [],
      `${this.text('hub', hub)} and ${this.text('spoke', spoke)} are not in the same elements`,
      hint,
    );
  }

  /** Of the objects that both sides have: which fields of the hub's stand elsewhere in the spoke. */
  private standsElsewhere(): void {
    const places = [
      ...this.scope.links.map(({ hub, spoke }): [Leaf[], Leaf[]] => [[hub], [spoke]]),
      ...this.scope.several.map(({ hub, spoke }): [Leaf[], Leaf[]] => [hub, spoke]),
    ];
    const visit = (hub: Container): void => {
      hub.children.forEach(visit);
      const { pair } = hub;
      if (pair === undefined) return;
      const within = (leaf: Leaf) => stepsBelow(leaf.steps, pair.steps) !== undefined;
      const names = new Map<string, boolean>();
      for (const [ours, theirs] of places) {
        for (const leaf of ours) {
          const [next] = stepsBelow(leaf.steps, hub.steps) ?? [];
          if (next?.kind !== 'field') continue;
          names.set(next.name, (names.get(next.name) ?? true) && !theirs.some(within));
        }
      }
      for (const [name, elsewhere] of names) if (elsewhere) hub.elsewhere.push(name);
    };
    visit(this.scope.hub);
  }

  private leaves(side: Side, one: LocalRule): Leaf[] | undefined {
    const leaves: Leaf[] = [];
    for (const steps of one[side]) {
      const slot = this.resolve(side, steps);
      if (slot === undefined) {
        this.problem(
          one.rule,
          [side],
          `${this.text(side, steps)} is the key, or part of what another rule converts`,
          'remove the rule',
        );
        return undefined;
      }
      leaves.push({ steps, slot });
    }
    return leaves;
  }

  private resolve(side: Side, steps: Step[]): Slot | undefined {
    let slot: Slot = this.roots[side];
    for (const one of steps) {
      const next = this.planner.types.step(slot, one);
      if ('message' in next) return undefined;
      slot = next;
    }
    return slot;
  }

  /** The container at a place, with those above it. */
  private open(side: Side, steps: Step[]): Container {
    let at = this.scope[side];
    for (let i = 1; i <= steps.length; i++) {
      const here = steps.slice(0, i);
      let next = find(at, here);
      if (next === undefined) {
        next = container(here, this.resolve(side, here)!);
        at.children.push(next);
      }
      at = next;
    }
    return at;
  }

  private isLocal({ hub, spoke }: LocalRule): boolean {
    return [...hub, ...spoke].every((path) => isStatic(path) && path.length > 0);
  }

  private text(side: Side, steps: Step[]): string {
    const text = stepsText(steps);
    return (
      this.roots[side].text +
      (text.startsWith('[') || text.startsWith('{') || text === '' ? text : `.${text}`)
    );
  }

  private problem(rule: Rule, path: (string | number)[], message: string, hint: string): void {
    this.planner.report({ path: ['conversion', rule.index, rule.name, ...path], message, hint });
  }
}

interface Chosen {
  hub: Step[];
  spoke: Step[];
  both: Step[];
}

function container(steps: Step[], slot: Slot): Container {
  const { kind } = slot.type;
  const holds = kind === 'list' || kind === 'map' ? kind : 'object';
  return { kind: holds, steps, slot, children: [], pair: undefined, defaults: [], elsewhere: [] };
}

/** A required container comes with the one that it is in. */
function requiredInside(holder: Container): void {
  for (const child of holder.children) {
    requiredInside(child);
    if (!child.slot.required || child.pair !== undefined) continue;
    const fields = Object.fromEntries(child.defaults.map(({ name, value }) => [name, value]));
    holder.defaults.push({
      name: lastName(child.steps),
      value: child.kind === 'list' ? [] : fields,
      rule: undefined,
    });
  }
}

/** The container at a place below another. */
export function find(root: Container, steps: Step[]): Container | undefined {
  if (root.steps.length === steps.length)
    return stepsText(root.steps) === stepsText(steps) ? root : undefined;
  for (const child of root.children) {
    if (stepsBelow(steps, child.steps) !== undefined) return find(child, steps);
  }
  return undefined;
}

/** An element that a rule names by its key, without the key: that one is not converted. */
function withoutKey({ steps, slot }: Leaf, { types }: Planner): Slot {
  const last = steps.at(-1);
  const fields = last?.kind === 'element' ? types.fields(slot.type) : undefined;
  if (fields === undefined || last?.kind !== 'element') return slot;
  return { ...slot, type: { kind: 'object', fields: fields.filter(({ name }) => name !== last.key) } };
}

function selectorValue(selector: Step): string {
  return selector.kind === 'element' ? selector.value : selector.kind === 'entry' ? selector.key : '';
}

/** A path up to its last list or map. */
function upToEach(path: Step[]): Step[] {
  const last = path.findLastIndex(({ kind }) => kind === 'each' || kind === 'values');
  return last === -1 ? path : path.slice(0, last);
}

function step(name: string): Step {
  return { kind: 'field', name };
}

/** Links in the order of the fields they start from: first sorted by the hub's, then, stably, by the spoke's. */
function byField(root: Slot, side: Side, { types }: Planner): (one: Link, other: Link) => number {
  const order = (types.fields(root.type) ?? []).map(({ name }) => name);
  const place = ({ [side]: { steps } }: Link) => order.indexOf(lastName(steps.slice(0, 1)));
  return (one, other) => place(one) - place(other);
}
