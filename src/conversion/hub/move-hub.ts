import { isDeepStrictEqual } from 'node:util';
import { PARTS } from '../../model/fields';
import type { Json, KindVersion, SharedType } from '../../model/project';
import { type Conversion, planConversion, rootSlot } from '../plan/conversion';
import { type ConversionPlan, reach } from '../plan/plan';
import { invertRule, isRefusal, type RawRule, type Refusal } from '../rules/invert-rule';
import { parseRules } from '../rules/parse-rules';
import { parsePath } from '../rules/path';
import type { ConversionProblem } from '../rules/rule';
import { Types } from '../rules/slot';
import { composeRules, type Hubs, type KnownRule } from './compose-rules';
import { lostFields } from './lost-fields';
import { readingsOf } from './readings';
import { rulesAtPlaces } from './rules-at-places';
import { rulesOfSameValue } from './same-values';
import { TypePairs } from './type-pairs';

/** A rule of a version below the new hub. */
export interface MovedRule {
  rule: RawRule;
  /** The place of the rule that it was made of in the version's list; undefined for one that is added. */
  from: number | undefined;
  /** The place of the rule that it inverts in the new hub's list; undefined for one that inverts none. */
  inverts: number | undefined;
  /** Where the rule stands that it comes from, for what is wrong with it. */
  at: { version: string; index: number };
}

/** The rules of every version once another is the hub. */
export interface StorageMove {
  /** By version, without the new hub, which has none. Empty when there are problems. */
  rules: Map<string, MovedRule[]>;
  /** Rules that cannot be expressed, at the rule that each comes from. */
  problems: ConversionProblem[];
}

/** The rules of one version once another is the hub, and their plan; or what cannot be said by rules. */
interface MovedVersion {
  rules: MovedRule[];
  /** Undefined when there are problems. */
  plan: ConversionPlan | undefined;
  problems: ConversionProblem[];
}

/** The versions of a kind, and the two between which the hub moves. */
interface Move {
  versions: KindVersion[];
  types: SharedType[];
  oldHub: KindVersion;
  newHub: KindVersion;
}

function moveBetween(versions: KindVersion[], types: SharedType[], from: string, to: string): Move {
  const [oldHub, newHub] = [from, to].map((name) => versions.find(({ version }) => version === name)!);
  return { versions, types, oldHub, newHub };
}

/**
 * Makes another version of a kind the hub: its own rules are inverted for the old hub, and composed with those of
 * every other spoke. What comes out is checked like rules that a user wrote.
 */
export function moveHub(versions: KindVersion[], types: SharedType[], from: string, to: string): StorageMove {
  const problems: ConversionProblem[] = [];
  const move = moveBetween(versions, types, from, to);
  const { oldHub, newHub } = move;
  const apart = new Set<string>();
  for (const version of versions) {
    if (version === oldHub) continue;
    problems.push(...planConversion(oldHub, version, types).problems);
    if (version === newHub) continue;
    for (const field of lostFields(version, move)) {
      apart.add(version.version);
      const message = `${field} is in ${from} and ${version.version}, not in ${to}: with ${to} as the storage version the two no longer share it`;
      const part = field.startsWith('status') ? 'status' : 'spec';
      problems.push({ version: to, path: [part], message, hint: `add the field to ${to}` });
    }
  }
  const rules = new Map<string, MovedRule[]>();
  for (const [version, moved] of movedVersions(move)) {
    if (!apart.has(version)) problems.push(...moved.problems);
    rules.set(version, moved.rules);
  }
  if (problems.length === 0) problems.push(...changedReadings(move, rules));
  return { rules: problems.length > 0 ? new Map<string, MovedRule[]>() : rules, problems };
}

/**
 * Checks that every version has its present rules again after the hub has moved there and back. A rule is lost on the
 * way if it has no inverse, or if it was merged with another into a weaker one.
 */
function changedReadings(
  { versions, types, oldHub, newHub }: Move,
  rules: StorageMove['rules'],
): ConversionProblem[] {
  const moved = versions.map((version) => ({
    ...version,
    conversion: (rules.get(version.version) ?? []).map(({ rule }) => rule),
  }));
  const views = planViews(moved, types, newHub.version, oldHub.version);
  return versions.flatMap((version) => {
    if (version === oldHub) return [];
    const back = views.get(version.version);
    const { plan } = planConversion(oldHub, version, types);
    if (back === undefined) {
      const message = `${version.version} cannot read through ${newHub.version} the same data as through ${oldHub.version}: its rules could not be restored if the storage moves back`;
      const hint = `make the rules of ${newHub.version} and ${version.version} for the same fields the same`;
      return [{ version: version.version, path: ['conversion'], message, hint }];
    }
    const [before, after] = [plan, back].map(
      (one) => new Map(readingsOf(one!).map((read) => [read.spoke, read])),
    );
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((spoke) => {
      if (before.get(spoke)?.text === after.get(spoke)?.text) return [];
      const message = `with ${newHub.version} as the storage version, ${spoke} of ${version.version} can no longer express everything that it expresses of ${oldHub.version}`;
      const hint =
        version === newHub
          ? 'its inverse must say the same: write whole numbers that stand for one value in ascending order, for example'
          : `make the rules of ${newHub.version} and ${version.version} for it the same, let ${newHub.version} distinguish all values, or write the rules between the two into this one: \`hubs: { ${newHub.version}: [ … ] }\``;
      const index = before.get(spoke)?.rule?.index;
      return [
        { version: version.version, path: index === undefined ? [] : ['conversion', index], message, hint },
      ];
    });
  });
}

/**
 * Plans how the other versions read what is stored in a version that is not the hub: by the rules that they would have if
 * it were. A version that has no such rules is left out.
 */
export function planViews(
  versions: KindVersion[],
  types: SharedType[],
  hub: string,
  stored: string,
): Map<string, ConversionPlan> {
  const moved = movedVersions(moveBetween(versions, types, hub, stored));
  return new Map([...moved].flatMap(([name, { plan }]) => (plan === undefined ? [] : [[name, plan]])));
}

/** The rules of every version but the new hub. */
function movedVersions(move: Move): Map<string, MovedVersion> {
  const { versions, types, oldHub, newHub } = move;
  const ofNewHub = known(oldHub, newHub, types);
  const others = versions.filter((version) => version !== newHub);
  return new Map(
    others.map((version) => {
      const found =
        version === oldHub ? invertedRules(ofNewHub, newHub) : composedRules(version, ofNewHub, move);
      return [version.version, movedVersion(version, found, move)];
    }),
  );
}

/** A rule of a version below the new hub, or why there is none. */
type Found = Omit<MovedRule, 'rule'> & { rule: RawRule | Refusal };

/** Returns the new hub's rules as those of the old hub. */
function invertedRules(ofNewHub: KnownRule[], { version }: KindVersion): Found[] {
  return ofNewHub.flatMap(({ raw, rule, pairs }) => {
    const { index } = rule;
    const inverse = invertRule(raw, rule, pairs);
    if (inverse === undefined) return [];
    return [{ rule: inverse, from: undefined, inverts: index, at: { version, index } }];
  });
}

/** Returns the rules of a spoke, composed with those of the new hub. */
function composedRules(spoke: KindVersion, ofNewHub: KnownRule[], move: Move): Found[] {
  const { types, oldHub, newHub } = move;
  const own = known(oldHub, spoke, types);
  const pairs = { hub: pairsOf(newHub, move), spoke: pairsOf(spoke, move) };
  const moved = [...ofNewHub, ...rulesAtPlaces(ofNewHub, own, move, pairs)];
  const taken = new Set<number>();
  return composeRules({
    moved,
    rules: own,
    from: oldHub.version,
    to: newHub.version,
    version: spoke.version,
    isInSpoke: hasField(spoke, types),
    isInHub: hasField(newHub, types),
    types: pairs,
    ofSameValue: (hub, path) =>
      rulesOfSameValue({ version: newHub, path: hub }, { version: spoke, path }, types),
  }).map((composed) => {
    const { index } = composed.from.rule;
    const version = composed.own ? spoke.version : newHub.version;
    const isFirst = composed.own && !isRefusal(composed.rule) && !taken.has(index);
    if (isFirst) taken.add(index);
    return {
      rule: composed.rule,
      from: isFirst ? index : undefined,
      inverts: undefined,
      at: { version, index },
    };
  });
}

/** Checks the rules of a version below the new hub, and leaves out those that say nothing. */
function movedVersion(version: KindVersion, found: Found[], move: Move): MovedVersion {
  const { types, newHub } = move;
  const refused = found.flatMap(({ rule, at }): ConversionProblem[] =>
    isRefusal(rule) ? [{ version: at.version, path: ['conversion', at.index], ...rule }] : [],
  );
  const all = found.filter((one): one is MovedRule => !isRefusal(one.rule));
  if (refused.length > 0) return { rules: all, plan: undefined, problems: refused };
  const planned = (rules: MovedRule[]): Conversion =>
    planConversion(newHub, { ...version, conversion: rules.map(({ rule }) => rule) }, types);
  const first = planned(all);
  // A rule of the new hub below a type that the version has no field of, or one that is for another of several types.
  const used = all.filter((_, index) => !first.unused.includes(index));
  const rules = all.filter(
    (one) =>
      used.includes(one) || (one.from !== undefined && !used.some(({ at }) => isDeepStrictEqual(at, one.at))),
  );
  const { plan, problems } = rules.length === all.length ? first : planned(rules);
  if (plan !== undefined) return { ...withoutNeedless(rules, plan, planned), problems };
  return { rules, plan, problems: problems.map((problem) => placed(problem, rules, version, move)) };
}

/** Returns the rules without the renames that the plan is the same without. */
function withoutNeedless(
  rules: MovedRule[],
  plan: ConversionPlan,
  planned: (rules: MovedRule[]) => Conversion,
): Pick<MovedVersion, 'rules' | 'plan'> {
  const texts = textsOf(plan);
  return rules
    .filter(({ rule }) => saysLittle(rule))
    .reduce(
      (shortest, one) => {
        const without = shortest.rules.filter((other) => other !== one);
        const same = planned(without).plan;
        const isSame = same !== undefined && isDeepStrictEqual(textsOf(same), texts);
        return isSame ? { rules: without, plan: same } : shortest;
      },
      { rules, plan },
    );
}

/** A problem of a moved rule, at the rule that it was made of. */
function placed(
  { version: in_, path, message, hint }: ConversionProblem,
  rules: MovedRule[],
  version: KindVersion,
  { oldHub, newHub }: Move,
): ConversionProblem {
  const reported = {
    message: `with ${newHub.version} as the storage version: ${message}`,
    hint: version === oldHub ? hint : hintForHubs(hint, version.version, newHub.version),
  };
  if (in_ !== version.version || path[0] !== 'conversion' || typeof path[1] !== 'number')
    return { version: in_, path, ...reported };
  const { at } = rules[path[1]];
  return { version: at.version, path: ['conversion', at.index], ...reported };
}

/** Returns the hint of a problem between a version and the new hub. Before the move, their rules are in `hubs` of others. */
function hintForHubs(hint = '', version: string, newHub: string): string {
  const [first] = hint.split(/, or |; for anything else, /);
  const proposed = [...first.matchAll(/`- ([^`]*)`/g)].map(([, rule]) => `{ ${rule} }`);
  const rules = proposed.length > 0 ? proposed.join(', ') : ' … ';
  return `write the rules between ${newHub} and ${version} into the rule of ${version} for the field, or into a rename of the field to its own path: \`hubs: { ${newHub}: [${rules}] }\``;
}

/** Returns true for a rename of equal names, which may be needless where others were composed. */
function saysLittle({ rename }: RawRule): boolean {
  const [one, other] = [rename?.['hub'], rename?.['spoke']].map((path) => /[^.]*$/.exec(String(path))![0]);
  return rename !== undefined && one === other;
}

function textsOf(plan: ConversionPlan): string[] {
  return readingsOf(plan).map(({ spoke, text }) => `${spoke} ${text}`);
}

/** The types of a version that correspond to those of the old hub. */
function pairsOf(version: KindVersion, { types, oldHub }: Move): TypePairs {
  return new TypePairs(planConversion(oldHub, version, types).plan, oldHub, version, types);
}

/** The rules of a spoke, read and planned. */
function known(hub: KindVersion, spoke: KindVersion, types: SharedType[]): KnownRule[] {
  const { plan } = planConversion(hub, spoke, types);
  if (plan === undefined) return [];
  const names = types.map(({ name }) => name);
  const rules = parseRules(spoke.conversion, names, () => undefined);
  const pairs = new Map<number, [Json, Json][]>();
  reach(plan, (lens) => {
    if (lens.kind === 'map') pairs.set(lens.rule.index, lens.pairs);
  });
  return rules.map((rule) => {
    const { [rule.name]: { hubs = {}, ...members } = {} } = spoke.conversion[rule.index] as RawRule;
    return {
      raw: { [rule.name]: members },
      rule,
      pairs: pairs.get(rule.index),
      hubs: hubs as unknown as Hubs,
    };
  });
}

/** Returns a function that looks a field of a version up by its path. */
function hasField(version: KindVersion, all: SharedType[]): (path: string) => boolean {
  const types = new Types(all);
  return (text) => {
    const path = parsePath(text);
    if (path === undefined) return false;
    const { root, steps } = path;
    if (![...PARTS, ...all.map(({ name }) => name)].includes(root)) return steps.length === 0;
    return !('message' in types.follow(rootSlot(root, version, types), steps));
  };
}
