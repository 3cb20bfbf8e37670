import { isDeepStrictEqual } from 'node:util';
import type { Json, KindVersion, SharedType } from '../../model/project';
import { planConversion, rootSlot } from '../plan/conversion';
import { type ConversionPlan, lensesInside, type LensPlan, reach } from '../plan/plan';
import { invertRule, isRefusal, type RawRule, type Refusal } from '../rules/invert-rule';
import { parseRules } from '../rules/parse-rules';
import { parsePath } from '../rules/path';
import type { ConversionProblem } from '../rules/rule';
import { Types } from '../rules/slot';
import { composeRules, type Hubs, type KnownRule } from './compose-rules';
import { readingsOf } from './readings';
import { rulesAtPlaces } from './rules-at-places';

/** A rule of a version below the new hub. */
interface MovedRule {
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

/** The rules of one version once another is the hub, and what cannot be said by rules. */
interface MovedVersion {
  rules: MovedRule[];
  problems: ConversionProblem[];
}

/**
 * Makes another version of a kind the hub: its own rules are inverted for the old hub, and composed with those of
 * every other spoke. What comes out is checked like rules that a user wrote.
 */
export function moveHub(versions: KindVersion[], types: SharedType[], from: string, to: string): StorageMove {
  const problems: ConversionProblem[] = [];
  const [oldHub, newHub] = [from, to].map((name) => versions.find(({ version }) => version === name)!);
  const apart = new Set<string>();
  for (const version of versions) {
    if (version === oldHub) continue;
    problems.push(...planConversion(oldHub, version, types).problems);
    if (version === newHub) continue;
    for (const field of lost(oldHub, newHub, version, types)) {
      apart.add(version.version);
      const message = `${field} is in ${from} and ${version.version}, not in ${to}: with ${to} as the storage version the two no longer share it`;
      const part = field.startsWith('status') ? 'status' : 'spec';
      problems.push({ version: to, path: [part], message, hint: `add the field to ${to}` });
    }
  }
  const rules = new Map<string, MovedRule[]>();
  for (const [version, moved] of movedVersions(versions, types, oldHub, newHub)) {
    if (!apart.has(version)) problems.push(...moved.problems);
    rules.set(version, moved.rules);
  }
  if (problems.length === 0) problems.push(...changedReadings(versions, types, oldHub, newHub, rules));
  return { rules: problems.length > 0 ? new Map<string, MovedRule[]>() : rules, problems };
}

/**
 * Checks that every version has its present rules again after the hub has moved there and back. A rule is lost on the
 * way if it has no inverse, or if it was merged with another into a weaker one.
 */
function changedReadings(
  versions: KindVersion[],
  types: SharedType[],
  oldHub: KindVersion,
  newHub: KindVersion,
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
  const [oldHub, newHub] = [hub, stored].map((name) => versions.find(({ version }) => version === name)!);
  const plans = new Map<string, ConversionPlan>();
  for (const [name, { rules, problems }] of movedVersions(versions, types, oldHub, newHub)) {
    const version = versions.find(({ version }) => version === name)!;
    const { plan } = planConversion(newHub, { ...version, conversion: rules.map(({ rule }) => rule) }, types);
    if (problems.length === 0 && plan !== undefined) plans.set(name, plan);
  }
  return plans;
}

/** The rules of every version but the new hub. */
function movedVersions(
  versions: KindVersion[],
  types: SharedType[],
  oldHub: KindVersion,
  newHub: KindVersion,
): Map<string, MovedVersion> {
  const inverted = known(oldHub, newHub, types);
  const result = new Map<string, MovedVersion>();
  for (const version of versions) {
    if (version === newHub) continue;
    const moved: MovedVersion = { rules: [], problems: [] };
    result.set(version.version, moved);
    const take = (
      rule: RawRule | Refusal | undefined,
      at: { version: string; index: number },
      from?: number,
    ) => {
      if (rule === undefined) return;
      if (!isRefusal(rule))
        moved.rules.push({ rule, from, inverts: version === oldHub ? at.index : undefined, at });
      else {
        const { message, hint } = rule;
        moved.problems.push({ version: at.version, path: ['conversion', at.index], message, hint });
      }
    };
    if (version === oldHub) {
      for (const { raw, rule, pairs } of inverted)
        take(invertRule(raw, rule, pairs), { version: newHub.version, index: rule.index });
    } else {
      const own = known(oldHub, version, types);
      const move = {
        from: oldHub.version,
        to: newHub.version,
        version: version.version,
        has: hasField(version, types),
        isInHub: hasField(newHub, types),
      };
      const atPlaces = rulesAtPlaces(inverted, own, { oldHub, newHub }, types);
      for (const composed of composeRules([...inverted, ...atPlaces], own, move)) {
        const { index } = composed.from.rule;
        const at = { version: composed.own ? version.version : newHub.version, index };
        const isTaken = moved.rules.some(({ from }) => from === index);
        take(composed.rule, at, composed.own && !isTaken ? index : undefined);
      }
    }
    if (moved.problems.length > 0) continue;
    const planned = (some: MovedRule[]) =>
      planConversion(newHub, { ...version, conversion: some.map(({ rule }) => rule) }, types);
    // A rule of the new hub below a type that the version has no field of.
    const { unused } = planned(moved.rules);
    moved.rules = moved.rules.filter(({ from }, index) => from !== undefined || !unused.includes(index));
    const { plan, problems } = planned(moved.rules);
    moved.problems.push(...problems.map((problem) => placed(problem, moved, version, newHub)));
    if (plan !== undefined) moved.rules = withoutNeedless(moved.rules, plan, (some) => planned(some).plan);
  }
  return result;
}

/** Returns the rules without the renames that the plan is the same without. */
function withoutNeedless(
  rules: MovedRule[],
  plan: ConversionPlan,
  planned: (some: MovedRule[]) => ConversionPlan | undefined,
): MovedRule[] {
  return rules.reduce((left, one) => {
    if (!saysLittle(one.rule)) return left;
    const without = left.filter((other) => other !== one);
    const same = planned(without);
    return same !== undefined && isDeepStrictEqual(textsOf(same), textsOf(plan)) ? without : left;
  }, rules);
}

/** A problem of a moved rule, at the rule that it was made of. */
function placed(
  { version: in_, path, message, hint }: ConversionProblem,
  { rules }: MovedVersion,
  version: KindVersion,
  newHub: KindVersion,
): ConversionProblem {
  const reported = { message: `with ${newHub.version} as the storage version: ${message}`, hint };
  if (in_ !== version.version || path[0] !== 'conversion' || typeof path[1] !== 'number')
    return { version: in_, path, ...reported };
  const { at } = rules[path[1]];
  return { version: at.version, path: ['conversion', at.index], ...reported };
}

/** Returns true for a rename of equal names, which may be needless where others were composed. */
function saysLittle({ rename }: RawRule): boolean {
  const [one, other] = [rename?.['hub'], rename?.['spoke']].map((path) => /[^.]*$/.exec(String(path))![0]);
  return rename !== undefined && one === other;
}

function textsOf(plan: ConversionPlan): string[] {
  return readingsOf(plan).map(({ spoke, text }) => `${spoke} ${text}`);
}

/** The rules of a spoke, read and planned. */
function known(hub: KindVersion, spoke: KindVersion, types: SharedType[]): KnownRule[] {
  const { plan } = planConversion(hub, spoke, types);
  if (plan === undefined) return [];
  const rules = parseRules(
    spoke.conversion,
    types.map(({ name }) => name),
    () => undefined,
  );
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

/** The fields that the old hub shares with a spoke and the new hub has nothing for. */
function lost(oldHub: KindVersion, newHub: KindVersion, spoke: KindVersion, types: SharedType[]): string[] {
  const [moved, own] = [newHub, spoke].map((version) => planConversion(oldHub, version, types).plan);
  if (moved === undefined || own === undefined) return [];
  const shared = reach(own).flatMap(({ links, several }) => [
    ...links.filter(({ lens }) => !isFieldByField(lens)).map(({ hub }) => hub.slot.text),
    ...several.flatMap(({ hub }) => hub.map(({ slot }) => slot.text)),
  ]);
  for (const part of ['spec', 'status'] as const) if (!isFieldByField(own[part])) shared.push(part);
  const hidden = reach(moved).flatMap((object) => object.hidden.map(({ slot }) => slot.text));
  const inside = (one: string, other: string) =>
    one === other || (/^[.[{]/.test(one.slice(other.length)) && one.startsWith(other));
  return hidden.filter((field) => shared.some((one) => inside(field, one) || inside(one, field)));
}

/** Returns true where the fields of a value have links of their own. Those of a shared type are named by the type. */
function isFieldByField(lens: LensPlan): boolean {
  return lens.kind === 'object' || lensesInside(lens).some(isFieldByField);
}

/** Returns a function that looks a field of a version up by its path. */
function hasField(version: KindVersion, all: SharedType[]): (path: string) => boolean {
  const types = new Types(all);
  return (text) => {
    const path = parsePath(text);
    if (path === undefined) return false;
    const { root, steps } = path;
    if (!['spec', 'status', ...all.map(({ name }) => name)].includes(root)) return steps.length === 0;
    return !('message' in types.follow(rootSlot(root, version, types), steps));
  };
}
