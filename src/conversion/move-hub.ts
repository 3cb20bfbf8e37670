import type { Json, KindVersion, SharedType } from '../model';
import { composeRules, type KnownRule } from './compose-rules';
import { planConversion } from './conversion';
import { invertRule, isRefusal, type RawRule } from './invert-rule';
import { parseRules } from './parse-rules';
import { parsePath } from './path';
import type { LensPlan } from './plan';
import { lensesInside, reach } from './plan-walk';
import type { ConversionProblem } from './rule';
import { Types, type Slot } from './slot';

/** A rule of a version below the new hub. */
export interface MovedRule {
  rule: RawRule;
  /** The place of the rule that it was made of in the version's list; undefined for one that is added. */
  from: number | undefined;
  /** The place of the rule that it inverts in the new hub's list; undefined for one that inverts none. */
  inverts: number | undefined;
}

/** The rules of every version once another is the hub. */
export interface MovedHub {
  /** By version, without the new hub, which has none. Empty when there are problems. */
  rules: Map<string, MovedRule[]>;
  /** What cannot be said by rules, at the rule that it comes from. */
  problems: ConversionProblem[];
}

/**
 * Makes another version of a kind the hub: its own rules are inverted for the old hub, and composed with those of
 * every other spoke. What comes out is checked like rules that a user wrote.
 */
export function moveHub(versions: KindVersion[], types: SharedType[], from: string, to: string): MovedHub {
  const problems: ConversionProblem[] = [];
  const [oldHub, newHub] = [from, to].map((name) => versions.find(({ version }) => version === name)!);
  const moved = known(oldHub, newHub, types, problems);
  const rules = new Map<string, MovedRule[]>();
  for (const version of versions) {
    if (version === newHub) continue;
    const written: MovedRule[] = [];
    const take = (
      rule: RawRule | { message: string; hint: string } | undefined,
      at: { version: string; index: number },
      from?: number,
    ) => {
      if (rule === undefined) return;
      if (!isRefusal(rule)) written.push({ rule, from, inverts: version === oldHub ? at.index : undefined });
      else
        problems.push({
          version: at.version,
          path: ['conversion', at.index],
          message: rule.message,
          hint: rule.hint,
        });
    };
    if (version === oldHub) {
      for (const { raw, rule, pairs } of moved)
        take(invertRule(raw, rule, pairs), { version: to, index: rule.index });
    } else {
      const own = known(oldHub, version, types, problems);
      for (const field of lost(oldHub, newHub, version, types)) {
        const message = `${field} is in ${from} and ${version.version}, not in ${to}: with ${to} as the storage version the two no longer share it`;
        problems.push({ version: to, path: ['spec'], message, hint: `add the field to ${to}` });
      }
      for (const composed of composeRules(moved, own, hasField(version, types), hasField(newHub, types))) {
        const { index } = composed.from.rule;
        const at = { version: composed.own ? version.version : to, index };
        take(composed.rule, at, composed.own ? index : undefined);
      }
    }
    if (problems.length > 0) continue;
    const check = (some: MovedRule[]) =>
      planConversion(newHub, { ...version, conversion: some.map(({ rule }) => rule) }, types).problems;
    const telling = written.filter(({ rule }) => !saysNothing(rule));
    const isEnough = telling.length < written.length && check(telling).length === 0;
    rules.set(version.version, isEnough ? telling : written);
    for (const { message, hint } of isEnough ? [] : check(written)) {
      problems.push({
        version: version.version,
        path: ['conversion'],
        message: `with ${to} as the storage version: ${message}`,
        hint,
      });
    }
  }
  return { rules: problems.length > 0 ? new Map() : rules, problems };
}

/** Whether both sides are the same by this rule: what is left where two versions that agree were composed. */
function saysNothing(rule: RawRule): boolean {
  const [[name, { hub, spoke, factor, values, otherwise }]] = Object.entries(rule) as [
    [string, RawRule[string]],
  ];
  if (hub !== spoke) return false;
  if (name === 'map' && otherwise === undefined) {
    return Object.entries(values as { [value: string]: Json }).every(([one, other]) => one === String(other));
  }
  return name === 'rename' || (name === 'scale' && factor === 1);
}

/** The rules of a spoke, read and planned. */
function known(
  hub: KindVersion,
  spoke: KindVersion,
  types: SharedType[],
  problems: ConversionProblem[],
): KnownRule[] {
  const { plan, problems: found } = planConversion(hub, spoke, types);
  problems.push(...found);
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
  return rules.map((rule) => ({
    raw: spoke.conversion[rule.index] as RawRule,
    rule,
    pairs: pairs.get(rule.index),
  }));
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
  const hidden = reach(moved).flatMap((scope) => scope.hidden.map(({ slot }) => slot.text));
  const inside = (one: string, other: string) =>
    one === other || (/^[.[{]/.test(one.slice(other.length)) && one.startsWith(other));
  return hidden.filter((field) => shared.some((one) => inside(field, one) || inside(one, field)));
}

/** Whether the fields of a value have links of their own. */
function isFieldByField(lens: LensPlan): boolean {
  return lens.kind === 'scope' || lens.kind === 'type' || lensesInside(lens).some(isFieldByField);
}

/** Whether a version has a field, by its path. */
function hasField(version: KindVersion, all: SharedType[]): (path: string) => boolean {
  const types = new Types(all);
  return (text) => {
    const path = parsePath(text);
    if (path === undefined) return false;
    const { root, steps } = path;
    const fields =
      root === 'spec' || root === 'status' ? version[root] : all.find(({ name }) => name === root)?.fields;
    let slot: Slot = types.root(root, fields ?? [], [root]);
    for (const step of steps) {
      const next = types.step(slot, step);
      if ('message' in next) return false;
      slot = next;
    }
    return true;
  };
}
