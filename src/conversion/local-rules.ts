import { isStatic, stepsBelow, stepsText, type Step } from './path';
import type { Rule } from './rule';

/** A rule with its paths below the two objects that are being planned. */
export interface LocalRule {
  rule: Rule;
  hub: Step[][];
  spoke: Step[][];
}

/** One of the two sides of a conversion. */
export type Side = 'hub' | 'spoke';

/** The elements of two lists, or entries of two maps, that rules name one by one. */
export interface Chosen {
  /** Of the hub, for other fields of the spoke. */
  hub: Step[];
  /** Of the spoke, for other fields of the hub. */
  spoke: Step[];
  /** The same on both sides. */
  both: Step[];
}

/** The rules below two objects, while they are being planned: each is taken once. */
export class LocalRules {
  private readonly left: Set<LocalRule>;
  private readonly claims = { hub: new Map<string, LocalRule>(), spoke: new Map<string, LocalRule>() };

  /** `onTaken` is told each rule that found its place. */
  constructor(
    rules: LocalRule[],
    private readonly onTaken: (rule: Rule) => void,
  ) {
    this.left = new Set(rules);
  }

  /** Those that are left. */
  get all(): LocalRule[] {
    return [...this.left];
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

  has(one: LocalRule): boolean {
    return this.left.has(one);
  }

  /** Takes a rule out. */
  remove(one: LocalRule): void {
    this.left.delete(one);
    this.onTaken(one.rule);
  }

  /** Notes which fields rules name; calls back for a rule that names a field which another names. */
  claim(onTwice: (side: Side, index: number, one: LocalRule, other: LocalRule) => void): void {
    for (const one of this.betweenFields) {
      for (const side of ['hub', 'spoke'] as const) {
        one[side].forEach((path, index) => {
          const other = this.claims[side].get(stepsText(path));
          if (other === undefined) this.claims[side].set(stepsText(path), one);
          else {
            this.remove(one);
            onTwice(side, index, one, other);
          }
        });
      }
    }
  }

  /** Whether a rule names exactly this field. */
  isClaimed(side: Side, steps: Step[]): boolean {
    return this.claims[side].has(stepsText(steps));
  }

  /** Whether a rule `default` names exactly this field. */
  hasDefault(side: Side, steps: Step[]): boolean {
    return this.all.some(
      (one) => one.rule.name === 'default' && one[side].some((path) => stepsText(path) === stepsText(steps)),
    );
  }

  /** Those that name a single field strictly below a place, on one side. */
  inside(side: Side, steps: Step[]): LocalRule[] {
    return this.all.filter((one) => one[side].some((path) => isStatic(path) && isUnder(path, steps)));
  }

  /** Whether a rule joins a field below one of two objects with a field that is not below the other. */
  crosses(hub: Step[], spoke: Step[]): boolean {
    return this.all.some((one) => {
      if (one.hub.length === 0 || one.spoke.length === 0) return false;
      const under = [
        ...one.hub.map((path) => isUnder(path, hub)),
        ...one.spoke.map((path) => isUnder(path, spoke)),
      ];
      return under.includes(true) && under.includes(false);
    });
  }

  /** Takes out the rules below two fields, with their paths from there. */
  take(hub: Step[], spoke: Step[]): LocalRule[] {
    return this.all.flatMap((one) => {
      const hubPaths = one.hub.map((path) => stepsBelow(path, hub));
      const spokePaths = one.spoke.map((path) => stepsBelow(path, spoke));
      if (!isBelow([...hubPaths, ...spokePaths])) return [];
      this.remove(one);
      return [{ rule: one.rule, hub: hubPaths as Step[][], spoke: spokePaths as Step[][] }];
    });
  }

  /** Which single elements or entries of two lists or maps rules name. */
  chosen(hub: Step[], spoke: Step[]): Chosen {
    const found: Chosen = { hub: [], spoke: [], both: [] };
    const add = (where: Step[], selector: Step) => {
      if (!where.some((one) => stepsText([one]) === stepsText([selector]))) where.push(selector);
    };
    for (const one of this.all) {
      if (one.hub.length === 0 || one.spoke.length === 0) continue;
      const [ours, theirs] = [selectorBelow(one.hub, hub), selectorBelow(one.spoke, spoke)];
      if (ours && theirs && selectorValue(ours) === selectorValue(theirs)) add(found.both, ours);
      else {
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

/** Whether all paths of a rule name single fields of the two objects. */
export function isLocal({ hub, spoke }: LocalRule): boolean {
  return [...hub, ...spoke].every((path) => isStatic(path) && path.length > 0);
}

/** Whether a path is strictly below another. */
export function isUnder(path: Step[], above: Step[]): boolean {
  return path.length > above.length && stepsBelow(path, above) !== undefined;
}

/** What an element or entry that a rule names is called. */
export function selectorValue(selector: Step): string {
  return selector.kind === 'element' ? selector.value : selector.kind === 'entry' ? selector.key : '';
}

/** Whether paths, cut off above, are those of a rule below two fields, not of the fields themselves. */
function isBelow(cut: (Step[] | undefined)[]): boolean {
  const paths = cut.filter((path) => path !== undefined);
  if (paths.length < cut.length || paths.every((path) => path.length === 0)) return false;
  if (paths.some(([first]) => first?.kind === 'element' || first?.kind === 'entry')) return false;
  // The field itself on one side stands for the element of a list on the other: that is what wrap is about.
  return paths.every((path) => path.length > 0) || paths.some((path) => !isStatic(path));
}

function selectorBelow(paths: Step[][], above: Step[]): Step | undefined {
  const firsts = paths.map((path) => stepsBelow(path, above)?.[0]);
  return firsts.find((step) => step?.kind === 'element' || step?.kind === 'entry');
}
