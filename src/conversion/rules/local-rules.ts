import { isEvery, isNamedKey, isOneOf, isStatic, type Step, stepsBelow, stepsText } from './path';
import { type Rule, type Side, SIDES } from './rule';

/** A rule with its paths below the two objects that are being planned. */
export interface LocalRule {
  rule: Rule;
  hub: Step[][];
  spoke: Step[][];
}

/** The elements of two lists, or entries of two maps, that rules name one by one. */
export interface Chosen {
  /** Elements of the hub for other fields of the spoke. */
  hub: Step[];
  /** Elements of the spoke for other fields of the hub. */
  spoke: Step[];
  /** Elements of both that belong together. */
  both: [hub: Step, spoke: Step][];
}

/** The rules below two objects, while they are being planned: each is taken once. */
export class LocalRules {
  private readonly remaining: Set<LocalRule>;
  private readonly named = new Set<LocalRule>();
  private readonly claims = { hub: new Map<string, LocalRule>(), spoke: new Map<string, LocalRule>() };

  /** `onTaken` is called for each rule that found its place. One that was taken still says which fields it names. */
  constructor(
    readonly given: readonly LocalRule[],
    private readonly onTaken: (rule: Rule) => void,
  ) {
    this.remaining = new Set(given);
  }

  /** Those that nobody has taken yet. */
  get all(): LocalRule[] {
    return [...this.remaining];
  }

  /** Rules between single fields of the two objects, at any depth: those of fields near the top first. */
  get betweenFields(): LocalRule[] {
    const depth = ({ hub, spoke }: LocalRule) => Math.min(...[...hub, ...spoke].map((path) => path.length));
    return this.all
      .filter((one) => one.rule.name !== 'default' && isLocal(one))
      .sort((one, other) => depth(one) - depth(other));
  }

  /** The rules `default` for single fields. */
  get defaults(): LocalRule[] {
    return this.all.filter((one) => one.rule.name === 'default' && isLocal(one));
  }

  /**
   * Repeats each rule `default` for all elements of a list, or all entries of a map: once for every element or entry that
   * another rule names on the same side.
   */
  nameDefaults(): void {
    const made = this.all.filter(({ hub, spoke }) => hub.length > 0 && spoke.length > 0);
    for (const one of this.all) {
      const side: Side = one.hub.length > 0 ? 'hub' : 'spoke';
      const [path] = one[side];
      const last = path.findLastIndex(isEvery);
      if (one.rule.name !== 'default' || last === -1) continue;
      for (const above of made.flatMap(({ [side]: paths }) =>
        paths.map((steps) => steps.slice(0, last + 1)),
      )) {
        if (!path.slice(0, last + 1).every((step, i) => isAmong(above[i], step))) continue;
        const named = { ...one, [side]: [[...above, ...path.slice(last + 1)]] };
        this.named.add(one);
        if (!this.hasDefault(side, named[side][0]) && !isNamedKey(named[side][0])) this.remaining.add(named);
      }
    }
  }

  /** Returns true for a rule `default` for all elements that has been added for one of them. */
  isNamed(one: LocalRule): boolean {
    return this.named.has(one);
  }

  has(one: LocalRule): boolean {
    return this.remaining.has(one);
  }

  /** Takes a rule out. */
  remove(one: LocalRule): void {
    this.remaining.delete(one);
    this.onTaken(one.rule);
  }

  /**
   * Notes which fields rules name; calls back for a rule that names a field which another names. `mayShare` decides whether
   * a rule of the two may be inside the other.
   */
  claim(
    mayShare: (one: LocalRule, other: LocalRule) => boolean,
    onTwice: (side: Side, index: number, one: LocalRule, other: LocalRule) => void,
  ): void {
    const isBelowLists = (one: LocalRule) => one.rule.name !== 'default' && !isLocal(one);
    const below = { hub: new Map<string, LocalRule>(), spoke: new Map<string, LocalRule>() };
    for (const one of [...this.betweenFields, ...this.all.filter(isBelowLists)]) {
      // Rules below lists and maps find their place later: only those between single fields claim these.
      const claims = isLocal(one) ? this.claims : below;
      for (const side of SIDES) {
        one[side].forEach((path, index) => {
          const name = stepsText(path);
          const other = this.claims[side].get(name) ?? below[side].get(name);
          if (other === undefined) claims[side].set(name, one);
          else if (!mayShare(one, other)) {
            this.remove(one);
            onTwice(side, index, one, other);
          }
        });
      }
    }
  }

  /** Returns true where a rule names exactly this field. */
  isClaimed(side: Side, steps: Step[]): boolean {
    return this.claims[side].has(stepsText(steps));
  }

  /** Returns true where a rule `default` names exactly this field. */
  hasDefault(side: Side, steps: Step[]): boolean {
    return this.all.some(
      (one) => one.rule.name === 'default' && one[side].some((path) => stepsText(path) === stepsText(steps)),
    );
  }

  /** Those that name a single field strictly below a place, on one side. */
  inside(side: Side, steps: Step[]): LocalRule[] {
    return this.given.filter((one) => one[side].some((path) => isStatic(path) && isUnder(path, steps)));
  }

  /** Returns the first rule that names a place or something below it, on one side. */
  naming(side: Side, steps: Step[]): LocalRule | undefined {
    return this.given.find((one) => one[side].some((path) => stepsBelow(path, steps) !== undefined));
  }

  /** Returns a rule that joins one of two values, or a field below it, with a field that is not below the other. */
  crossing(hub: Step[], spoke: Step[]): LocalRule | undefined {
    return this.given.find((one) => {
      if (one.hub.length === 0 || one.spoke.length === 0) return false;
      const under = [
        ...one.hub.map((path) => stepsBelow(path, hub) !== undefined),
        ...one.spoke.map((path) => stepsBelow(path, spoke) !== undefined),
      ];
      return under.includes(true) && under.includes(false);
    });
  }

  /** Takes out the rules below two fields, with their paths from there. */
  take(hub: Step[], spoke: Step[]): LocalRule[] {
    return this.all.flatMap((one) => {
      const [inside] = below([one], hub, spoke);
      if (inside === undefined || !isBelow([...inside.hub, ...inside.spoke])) return [];
      this.remove(one);
      return [inside];
    });
  }

  /** Returns the single elements or entries of two lists or maps that rules name. `areSame` decides which belong together. */
  chosen(hub: Step[], spoke: Step[], areSame: (hub: Step, spoke: Step) => boolean): Chosen {
    const found: Chosen = { hub: [], spoke: [], both: [] };
    const isIn = (where: Step[], selector: Step) =>
      where.some((one) => stepsText([one]) === stepsText([selector]));
    const add = (where: Step[], selector: Step) => {
      if (!isIn(where, selector)) where.push(selector);
    };
    for (const one of this.given) {
      if (one.hub.length === 0 || one.spoke.length === 0) continue;
      const [ours, theirs] = [selectorBelow(one.hub, hub), selectorBelow(one.spoke, spoke)];
      if (ours && theirs && areSame(ours, theirs)) {
        const known = found.both.map(([one]) => one);
        if (!isIn(known, ours)) found.both.push([ours, theirs]);
      } else {
        if (ours) add(found.hub, ours);
        if (theirs) add(found.spoke, theirs);
      }
    }
    return found;
  }
}

/** Every element of a list. */
export const EACH: Step = { kind: 'each' };
/** Every value of a map. */
export const VALUES: Step = { kind: 'values' };

/** Returns the rule between just these two fields. */
export function convertingRule(rules: readonly LocalRule[], hub: Step[], spoke: Step[]): Rule | undefined {
  const is = (paths: Step[][], path: Step[]) => paths.length === 1 && stepsText(paths[0]) === stepsText(path);
  return rules.find((one) => is(one.hub, hub) && is(one.spoke, spoke))?.rule;
}

/** The rules whose paths are all below these, with their paths from there. */
export function below(rules: LocalRule[], hub: Step[], spoke: Step[]): LocalRule[] {
  return rules.flatMap((one) => {
    const cut = {
      rule: one.rule,
      hub: one.hub.map((path) => stepsBelow(path, hub)),
      spoke: one.spoke.map((path) => stepsBelow(path, spoke)),
    };
    return [...cut.hub, ...cut.spoke].includes(undefined) ? [] : [cut as LocalRule];
  });
}

/** Returns true where all paths of a rule name single fields of the two objects. */
function isLocal({ hub, spoke }: LocalRule): boolean {
  return [...hub, ...spoke].every((path) => isStatic(path) && path.length > 0);
}

/** Returns true for a path strictly below another. */
export function isUnder(path: Step[], above: Step[]): boolean {
  return path.length > above.length && stepsBelow(path, above) !== undefined;
}

/** Returns true for a step to one element or entry. */
export function isSelector(step: Step | undefined): boolean {
  return step?.kind === 'element' || step?.kind === 'entry';
}

/** Returns the key of an element or entry that a rule names. */
export function selectorValue(selector: Step): string {
  return selector.kind === 'element' ? selector.value : selector.kind === 'entry' ? selector.key : '';
}

/** Returns true for the paths of a rule below two fields rather than of the fields themselves, from these. */
function isBelow(paths: Step[][]): boolean {
  if (paths.some(([first]) => isSelector(first))) return false;
  // The field itself on one side stands for the element of a list on the other: that is what wrap is about.
  return paths.every((path) => path.length > 0) || paths.some((path) => !isStatic(path));
}

/** Returns true where one step is the other, or one of the elements or entries that the other stands for. */
function isAmong(one: Step | undefined, all: Step): boolean {
  if (one === undefined) return false;
  return isEvery(all) ? isOneOf(one, all) : stepsText([one]) === stepsText([all]);
}

function selectorBelow(paths: Step[][], above: Step[]): Step | undefined {
  return paths.map((path) => stepsBelow(path, above)?.[0]).find(isSelector);
}
