import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../model/project';
import {
  divided,
  factorText,
  invertRule,
  isRefusal,
  mapRule,
  type Pairs,
  parseFactor,
  type RawRule,
  type Refusal,
} from '../rules/invert-rule';
import { pathText, stepsBelow, stepsText } from '../rules/path';
import type { Rule } from '../rules/rule';
import { overlap } from '../rules/rule-overlap';

/** A rule as it is written and as it was read, with the pairs of a `map`. */
export interface KnownRule {
  /** Without `hubs`. */
  raw: RawRule;
  rule: Rule;
  pairs: Pairs | undefined;
  /** The rules that replace it once another version is the hub. */
  hubs: Hubs;
}

/** Rules by the version that is the hub. */
export interface Hubs {
  [version: string]: RawRule[];
}

/** The versions between which the hub moves, and the fields of two of them. */
interface Move {
  /** The old hub. */
  from: string;
  /** The new hub. */
  to: string;
  /** The spoke. */
  version: string;
  /** Looks a field of the spoke up by its path. */
  has: (path: string) => boolean;
  /** Looks a field of the new hub up. */
  isInHub: (path: string) => boolean;
}

/** A move, and the fields for which rules have been proposed to the user. */
interface Composing extends Move {
  proposed: Set<string>;
}

/** A rule of a spoke for the new hub, or why there is none. */
interface Composed {
  rule: RawRule | Refusal;
  /** The rule that it comes from: the spoke's own, or else the new hub's. */
  from: KnownRule;
  own: boolean;
}

/**
 * Returns the rules between the new hub and a spoke, from those between the old hub and both: `moved` are the new hub's,
 * `rules` the spoke's. Rules that name their successors in `hubs` are replaced by them.
 */
export function composeRules(moved: KnownRule[], rules: KnownRule[], between: Move): Composed[] {
  const move = { ...between, proposed: new Set<string>() };
  const composed = replaced(rules, move);
  const met = new Set<KnownRule>();
  const changed = moved.filter(({ rule }) => rule.name !== 'default');
  for (const known of rules) {
    const covering = changed.filter((one) => covers(one.rule, known.rule));
    for (const one of covering)
      if (one.rule.name !== 'rename' || isExactly(one.rule, known.rule)) met.add(one);
    const meeting = moved.find(
      (one) => overlap(one.rule, known.rule) && !(isIn(rules, one) && isIn(moved, known)),
    );
    const successors = known.hubs[move.to];
    if (meeting !== undefined && (successors === undefined || isReplaced(meeting, successors)))
      met.add(meeting);
    if (successors !== undefined) continue;
    if (meeting !== undefined) {
      const other = covering.find(({ rule }) => rule.name !== 'rename') ?? meeting;
      composed.push({ rule: noneOf(known, other, move), from: known, own: true });
      continue;
    }
    // What both versions made of the old hub's fields in the same way is the same in both.
    if (known.rule.name !== 'default' && covering.some(({ raw }) => isDeepStrictEqual(raw, known.raw)))
      continue;
    const below = changed.find((one) => !covering.includes(one) && covers(known.rule, one.rule));
    const opaque = below !== undefined && !['default', ...CONTAINERS].includes(known.rule.name);
    const found = opaque ? [noneOf(known, below, move)] : through(known, covering, move);
    for (const [i, rule] of found.entries()) {
      // If the new hub lacks the object, its fields have rules of their own.
      const needed = isRefusal(rule) ? undefined : (rule.default ?? rule.rename)?.['hub'];
      if (needed !== undefined && !move.isInHub(String(needed))) continue;
      const isFirst = i === 0 && !isRefusal(rule);
      composed.push({ rule: isFirst ? withHubs(rule, known.hubs) : rule, from: known, own: true });
    }
  }
  for (const one of moved) {
    if (met.has(one)) continue;
    const added = ofItself(one, moved, rules, move);
    if (added === undefined) continue;
    // The spoke has said what its own writes bring.
    const isSaid = composed.some(
      ({ rule }) => presetOf(rule) !== undefined && presetOf(rule) === presetOf(added),
    );
    if (!isSaid) composed.push({ rule: added, from: one, own: false });
  }
  return composed;
}

/** Returns the field of the hub that a rule `default` is for. */
function presetOf(rule: RawRule | Refusal): Json | undefined {
  return isRefusal(rule) ? undefined : rule.default?.['hub'];
}

/**
 * Returns the rules that replace others under the new hub, as declared by their `hubs`. When the hub moves back, the
 * first of them is replaced by the originals again.
 */
function replaced(rules: KnownRule[], { from, to }: Move): Composed[] {
  const given = rules.filter(({ hubs }) => hubs[to] !== undefined);
  const others = new Set(given.flatMap(({ hubs }) => Object.keys(hubs)).filter((version) => version !== to));
  const all = (version: string) => given.flatMap(({ hubs }) => hubs[version] ?? []);
  const hubs = Object.fromEntries([...others].map((version) => [version, all(version)]));
  const first: Hubs = { ...hubs, [from]: given.map(({ raw }) => raw) };
  const rest = Object.fromEntries(Object.keys(first).map((version): [string, RawRule[]] => [version, []]));
  return given
    .flatMap((known) => known.hubs[to].map((rule) => ({ rule, from: known, own: true })))
    .map((one, i) => ({ ...one, rule: withHubs(one.rule, i === 0 ? first : rest) }));
}

/**
 * Returns true if the successors of other rules name a field of this one, an object around it, or a field inside it.
 */
function isReplaced({ rule }: KnownRule, successors: RawRule[]): boolean {
  const named = successors.flatMap((raw) =>
    Object.values(raw).flatMap(({ hub = [], spoke = [] }) => {
      const [ours, theirs] = [[hub].flat().map(String), [spoke].flat().map(String)];
      // A rule for one element on both sides applies besides those for all of them, which may not name its fields again.
      return theirs.some((path) => ONE_ELEMENT.test(path)) ? ours.map(inAllElements) : ours;
    }),
  );
  const paths = rule.spoke.map((steps) => pathText(rule.spokeRoot!, steps));
  return named.some((one) => paths.some((path) => one.startsWith(path) || path.startsWith(one)));
}

/** Adds to a rule those that replace it under other hubs. */
function withHubs(rule: RawRule, hubs: Hubs): RawRule {
  return Object.keys(hubs).length === 0 ? rule : withMember(rule, 'hubs', hubs);
}

/** Rules between two values with values inside, for which there may be rules below. */
const CONTAINERS = ['rename', 'index', 'wrap'];

/** A rule of the spoke, its hub paths as the new hub has them. */
function through(known: KnownRule, touching: KnownRule[], move: Composing): (RawRule | Refusal)[] {
  const { rule, raw } = known;
  const others = touching.filter((one) => one.rule.name !== 'rename');
  if (others.length === 0) return [withHub(known, touching)];
  const [other] = others;
  if (others.length === 1 && isExactly(other.rule, rule)) {
    if (rule.name === 'rename') {
      const inverted = invertRule(other.raw, other.rule, other.pairs);
      if (inverted === undefined || isRefusal(inverted)) return [inverted ?? raw];
      return [withMember(inverted, 'spoke', raw['rename']['spoke'])];
    }
    if (saysTheSame(raw, other.raw)) return sideBySide(other, known);
    if (rule.name === 'scale' && other.rule.name === 'scale') {
      const [ours, theirs] = [raw, other.raw].map(({ scale }) => parseFactor(scale['factor'])!);
      const factor = factorText(divided(ours, theirs)!);
      return [{ scale: { hub: other.raw['scale']['spoke'], spoke: raw['scale']['spoke'], factor } }];
    }
    if (rule.name === 'map' && other.rule.name === 'map') return [composeMaps(known, other)];
  }
  return [noneOf(known, other, move)];
}

/** Returns true for rules that differ only in where their versions have the fields. */
function saysTheSame(one: RawRule, other: RawRule): boolean {
  const said = (raw: RawRule) => Object.entries(raw).map(([name, { spoke: _, ...rest }]) => [name, rest]);
  return isDeepStrictEqual(said(one), said(other));
}

/** Returns rules for fields that two versions made of the old hub's in the same way, in different places. */
function sideBySide(hub: KnownRule, spoke: KnownRule): RawRule[] {
  const paths = ({ rule }: KnownRule) => rule.spoke.map((steps) => pathText(rule.spokeRoot!, steps));
  const theirs = paths(spoke);
  return paths(hub).map((path, i) => ({ rename: { hub: path, spoke: theirs[i] } }));
}

/** The step of a path to the elements of a list, or to the entries of a map. */
const ELEMENTS = /\[\]|\{\}/;
/** The same at the end of a path. */
const LAST_ELEMENTS = /(\[\]|\{\})$/;
/** The step to one of them, by its key. */
const ONE_ELEMENT = /\[[^\]]+\]|\{[^}]+\}/;

function noneOf(known: KnownRule, other: KnownRule, { to, version, proposed }: Composing): Refusal {
  const texts = ({ rule }: KnownRule) => rule.spoke.map((steps) => pathText(rule.spokeRoot!, steps));
  const element = ONE_ELEMENT.exec(hubText(known.rule))?.[0];
  const inHub = texts(other).map((path) => (element === undefined ? path : path.replace(ELEMENTS, element)));
  // The elements of a list of values are no fields that a custom rule could name: the list is.
  const areElements = [...inHub, ...texts(known)].some((path) => LAST_ELEMENTS.test(path));
  const paths = [inHub, texts(known)].map((all) =>
    areElements ? all.map((path) => path.replace(LAST_ELEMENTS, '')) : all,
  );
  const depths = new Set(paths.flat().map((path) => path.split(ELEMENTS).length));
  // A custom rule converts fields of the same elements, or whole lists and maps.
  const usable = depths.size === 1 ? paths : paths.map((all) => all.map((path) => path.split(ELEMENTS)[0]));
  const message = `the rules ${known.rule.name} and ${other.rule.name} for ${hubText(known.rule)} cannot be combined`;
  if (usable.flat().some((path) => proposed.has(path))) {
    const hint = `what \`hubs\` of the other rule for it says can cover this one too: write \`hubs: { ${to}: [] }\` into this one`;
    return { message, hint };
  }
  for (const path of usable.flat()) proposed.add(path);
  const [hub, spoke] = usable.map((all) => `[${[...new Set(all)].map(quotedPath).join(', ')}]`);
  return {
    message,
    hint: `write the rules between ${to} and ${version} into this one, such as \`hubs: { ${to}: [{ custom: { hub: ${hub}, spoke: ${spoke}, name: … } }] }\``,
  };
}

/** A path with the steps to single elements and entries replaced by those to all. */
function inAllElements(path: string): string {
  return path.replaceAll(/\[[^\]]+\]/g, '[]').replaceAll(/\{[^}]+\}/g, '{}');
}

/** Writes a path as it stands in a list of YAML. */
function quotedPath(path: string): string {
  return /[[\]{}]/.test(path) ? `"${path}"` : path;
}

/** Returns the rule for a change of the new hub to a field that the spoke has as the old hub had it. */
function ofItself(
  one: KnownRule,
  moved: KnownRule[],
  rules: KnownRule[],
  { has, isInHub }: Move,
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
    const renames = moved.filter(({ rule }) => rule.name === 'rename');
    const isThere = isInHub(String(withHub(one, renames)['default']['hub']));
    return has(path) && !isSaid && !isThere ? { default: { spoke: path, value } } : undefined;
  }
  if (rule.name === 'drop') return undefined;
  const paths = rule.hub.map((steps) => pathText(hubRoot!, steps));
  const renamed = paths.map((path) => spokePath(path, rules));
  if (!renamed.some(has)) return undefined;
  const inverted = invertRule(raw, rule, one.pairs);
  if (inverted === undefined || isRefusal(inverted)) return inverted;
  return withMember(inverted, 'spoke', Array.isArray(raw[rule.name]['hub']) ? renamed : renamed[0]);
}

/** Returns where a version has a field of the old hub, by its own rules for what the field is in. */
export function spokePath(path: string, rules: KnownRule[]): string {
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

function composeMaps(known: KnownRule, other: KnownRule): RawRule {
  const [ours, theirs] = [mapOf(other), mapOf(known)];
  const read = other.pairs!.map(([, value]): [Json, Json | undefined] => [
    value,
    theirs.get(ours.put(value)),
  ]);
  const written = known.pairs!.map(([, value]): [Json | undefined, Json] => [
    ours.get(theirs.put(value)),
    value,
  ]);
  const pairs = [...read, ...written].filter((pair): pair is [Json, Json] => !pair.includes(undefined));
  const rest = (value: Json | undefined, map: (value: Json) => Json | undefined) =>
    value === undefined ? undefined : map(value);
  const hub = rest(known.rule.options.otherwise?.hub, ours.get);
  const spoke = rest(other.rule.options.otherwise?.hub, theirs.get) ?? known.rule.options.otherwise?.spoke;
  const otherwise = { ...(hub !== undefined && { hub }), ...(spoke !== undefined && { spoke }) };
  return mapRule({ hub: other.raw['map']['spoke'], spoke: known.raw['map']['spoke'] }, pairs, otherwise);
}

/** The two directions of a rule `map`; undefined for a value that it does not cover. */
function mapOf({ pairs, rule }: KnownRule) {
  const { otherwise = {} } = rule.options;
  const find = (from: 0 | 1, value: Json | undefined): Json | undefined =>
    pairs!.find((pair) => pair[from] === value)?.[1 - from];
  return {
    get: (hub: Json | undefined) => find(0, hub) ?? otherwise.spoke,
    put: (spoke: Json | undefined) => find(1, spoke) ?? otherwise.hub,
  };
}

/** Returns true if a rule is among others as it is. */
function isIn(rules: KnownRule[], { raw }: KnownRule): boolean {
  return rules.some((one) => isDeepStrictEqual(one.raw, raw));
}

/** Returns true where a rule names a field of the old hub that another names, or an object that contains it. */
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
