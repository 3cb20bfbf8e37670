import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../model';
import { invertRule, isRefusal, type Pairs, type RawRule, type Refusal } from './invert-rule';
import { pathText, stepsBelow, stepsText } from './path';
import type { Rule } from './rule';

/** A rule as it is written and as it was read, with the pairs of a `map`. */
export interface KnownRule {
  raw: RawRule;
  rule: Rule;
  pairs: Pairs | undefined;
}

/** A rule of a spoke for the new hub, or why there is none. */
export interface Composed {
  rule: RawRule | Refusal;
  /** The rule that it comes from: the spoke's own, or else the new hub's. */
  from: KnownRule;
  own: boolean;
}

/**
 * The rules between the new hub and a spoke, from those between the old hub and both: `moved` are the new hub's,
 * `rules` the spoke's. `has` tells whether the spoke has a field, by its path, `isInHub` whether the new hub has it.
 */
export function composeRules(
  moved: KnownRule[],
  rules: KnownRule[],
  has: (path: string) => boolean,
  isInHub: (path: string) => boolean,
): Composed[] {
  const composed: Composed[] = [];
  const met = new Set<KnownRule>();
  for (const known of rules) {
    const covering = moved.filter((one) => one.rule.name !== 'default' && covers(one.rule, known.rule));
    for (const one of covering)
      if (one.rule.name !== 'rename' || isExactly(one.rule, known.rule)) met.add(one);
    // What both versions made of the old hub's fields in the same way is the same in both.
    if (known.rule.name !== 'default' && covering.some(({ raw }) => isDeepStrictEqual(raw, known.raw)))
      continue;
    const below = moved.find((one) => !covering.includes(one) && covers(known.rule, one.rule));
    const opaque = below !== undefined && !['default', ...CONTAINERS].includes(known.rule.name);
    const rule = opaque ? noneOf(known.rule, below.rule) : through(known, covering);
    const filled = 'default' in rule ? rule.default['hub'] : undefined;
    if (filled === undefined || isInHub(String(filled))) composed.push({ rule, from: known, own: true });
  }
  for (const one of moved) {
    if (met.has(one)) continue;
    const added = ofItself(one, rules, has);
    if (added !== undefined) composed.push({ rule: added, from: one, own: false });
  }
  return composed;
}

/** Rules between two values with values inside, for which there may be rules below. */
const CONTAINERS = ['rename', 'index', 'wrap'];

/** A rule of the spoke, its hub paths as the new hub has them. */
function through(known: KnownRule, touching: KnownRule[]): RawRule | Refusal {
  const { rule, raw } = known;
  const others = touching.filter((one) => one.rule.name !== 'rename');
  if (others.length === 0) return withHub(known, touching);
  const [other] = others;
  if (others.length === 1 && isExactly(other.rule, rule)) {
    if (rule.name === 'rename') {
      const inverted = invertRule(other.raw, other.rule, other.pairs);
      if (inverted === undefined || isRefusal(inverted)) return inverted ?? raw;
      return withMember(inverted, 'spoke', raw['rename']['spoke']);
    }
    if (rule.name === 'scale' && other.rule.name === 'scale') {
      const factor = Number((rule.options.factor! / other.rule.options.factor!).toPrecision(15));
      return { scale: { hub: other.raw['scale']['spoke'], spoke: raw['scale']['spoke'], factor } };
    }
    if (rule.name === 'map' && other.rule.name === 'map') return composeMaps(known, other);
  }
  return noneOf(rule, other.rule);
}

function noneOf(rule: Rule, other: Rule): Refusal {
  return {
    message: `the rules ${rule.name} and ${other.name} for ${hubText(rule)} cannot be made into one`,
    hint: 'write one rule between the two versions, such as custom',
  };
}

/** What the new hub changed of a field that the spoke has as the old hub had it. */
function ofItself(
  one: KnownRule,
  rules: KnownRule[],
  has: (path: string) => boolean,
): RawRule | Refusal | undefined {
  const { rule, raw } = one;
  const { spokeRoot, hubRoot } = rule;
  if (rule.name === 'default') {
    const value = rule.options.value!;
    if (rule.spoke.length > 0) {
      const isShared = has(pathText(spokeRoot!, rule.spoke[0]));
      return isShared ? undefined : { default: { hub: raw['default']['spoke'], value } };
    }
    // What the old hub always had, since the new one's writes brought it, the spoke shows where nothing is known.
    const path = spokePath(pathText(hubRoot!, rule.hub[0]), rules);
    const isSaid = rules.some(
      (known) => known.rule.name === 'default' && known.raw['default']['spoke'] === path,
    );
    return has(path) && !isSaid ? { default: { spoke: path, value } } : undefined;
  }
  if (rule.name === 'drop') return undefined;
  const paths = rule.hub.map((steps) => pathText(hubRoot!, steps));
  const renamed = paths.map((path) => spokePath(path, rules));
  if (!renamed.some(has)) return undefined;
  const inverted = invertRule(raw, rule, one.pairs);
  if (inverted === undefined || isRefusal(inverted)) return inverted;
  return withMember(inverted, 'spoke', Array.isArray(raw[rule.name]['hub']) ? renamed : renamed[0]);
}

/** Where the spoke has a field of the old hub, by its own rules for what the field is in. */
function spokePath(path: string, rules: KnownRule[]): string {
  const above = rules
    .filter(({ rule }) => CONTAINERS.includes(rule.name))
    .filter(({ rule }) => path.startsWith(pathText(rule.hubRoot!, rule.hub[0])))
    .sort((one, other) => stepsText(other.rule.hub[0]).length - stepsText(one.rule.hub[0]).length);
  for (const { rule } of above) {
    const rest = path.slice(pathText(rule.hubRoot!, rule.hub[0]).length);
    if (/^($|[.[{])/.test(rest)) return pathText(rule.spokeRoot!, rule.spoke[0]) + inSpoke(rule, rest);
  }
  return path;
}

/** The path inside what a rule converts, as the spoke has it: the list of a `wrap` is left out or put in. */
function inSpoke({ name }: Rule, rest: string): string {
  if (name === 'index') return rest.replace(/^(\[\]|\{\})/, (step) => (step === '[]' ? '{}' : '[]'));
  if (name === 'wrap') return rest.startsWith('[]') ? rest.slice(2) : rest === '' ? rest : `[]${rest}`;
  return rest;
}

/** A rule with its hub paths where the new hub has them: below what it renamed, the longest first. */
function withHub({ rule, raw }: KnownRule, renames: KnownRule[]): RawRule {
  if (rule.hub.length === 0) return raw;
  const paths = rule.hub.map((steps) => {
    const above = renames
      .flatMap((one) => {
        const rest = one.rule.hubRoot === rule.hubRoot ? stepsBelow(steps, one.rule.hub[0]) : undefined;
        return rest === undefined ? [] : [{ one, rest }];
      })
      .sort((a, b) => a.rest.length - b.rest.length);
    const [nearest] = above;
    if (nearest === undefined) return pathText(rule.hubRoot!, steps);
    return pathText(nearest.one.rule.spokeRoot!, [...nearest.one.rule.spoke[0], ...nearest.rest]);
  });
  return withMember(raw, 'hub', Array.isArray(raw[rule.name]['hub']) ? paths : paths[0]);
}

function composeMaps(known: KnownRule, other: KnownRule): RawRule | Refusal {
  const values = new Map<Json, Json>();
  for (const [hub, ours] of other.pairs!) {
    const found = known.pairs!.find(([value]) => value === hub);
    const theirs = found === undefined ? known.rule.options.otherwise?.spoke : found[1];
    if (theirs !== undefined && !values.has(ours)) values.set(ours, theirs);
  }
  const sides = { hub: other.raw['map']['spoke'], spoke: known.raw['map']['spoke'] };
  const back = known.rule.options.otherwise?.hub;
  const hub = back === undefined ? undefined : other.pairs!.find(([value]) => value === back)?.[1];
  const spoke = known.rule.options.otherwise?.spoke;
  const otherwise = { ...(hub !== undefined && { hub }), ...(spoke !== undefined && { spoke }) };
  const written = Object.fromEntries([...values].map(([from, to]) => [String(from), to]));
  return { map: { ...sides, values: written, ...(Object.keys(otherwise).length > 0 && { otherwise }) } };
}

/** Whether one rule names a field of the old hub that another names, or an object that it is in. */
function covers(outer: Rule, inner: Rule): boolean {
  if (outer.hubRoot !== inner.hubRoot) return false;
  return outer.hub.some((one) => inner.hub.some((other) => stepsBelow(other, one) !== undefined));
}

function isExactly(one: Rule, other: Rule): boolean {
  return (
    one.hubRoot === other.hubRoot &&
    one.hub.length === other.hub.length &&
    one.hub.every((steps, i) => stepsText(steps) === stepsText(other.hub[i]))
  );
}

function withMember(raw: RawRule, member: string, value: Json): RawRule {
  const [name] = Object.keys(raw);
  return { [name]: { ...raw[name], [member]: value } };
}

function hubText(rule: Rule): string {
  return rule.hub.map((steps) => pathText(rule.hubRoot!, steps)).join(', ');
}
