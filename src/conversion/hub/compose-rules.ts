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
import { isWithin, quotedPath, stepsBelow } from '../rules/path';
import { pathsOf, type Rule, type Side } from '../rules/rule';
import { overlap } from '../rules/rule-overlap';
import type { TypePairs } from './type-pairs';

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

/** A move of the hub, as it concerns a spoke, with the rules between the old hub and the two versions. */
interface Composing {
  /** The old hub. */
  from: string;
  /** The new hub. */
  to: string;
  /** The spoke. */
  version: string;
  /** Looks a field of the spoke up by its path. */
  isInSpoke: (path: string) => boolean;
  /** Looks a field of the new hub up. */
  isInHub: (path: string) => boolean;
  /** The types of the new hub and of the spoke that correspond to those of the old hub. */
  types: { hub: TypePairs; spoke: TypePairs };
  /** Returns the rules between a field of the new hub and one of the spoke that were made of one value in the same way. */
  ofSameValue: (hub: string, spoke: string) => RawRule[];
  /** The new hub's rules. */
  moved: KnownRule[];
  /** The spoke's. */
  rules: KnownRule[];
  /** The fields for which rules have been proposed to the user. */
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
 * Returns the rules between the new hub and a spoke, from those between the old hub and both. Rules that name their
 * successors in `hubs` are replaced by them.
 */
export function composeRules(given: Omit<Composing, 'proposed'>): Composed[] {
  const { moved, rules } = given;
  const move = { ...given, proposed: new Set<string>() };
  const composed = replaced(move);
  for (const known of rules)
    for (const root of given.types.hub.of(known.rule.hubRoot ?? known.rule.spokeRoot!)) {
      const here = { ...move, moved: between(moved, known.rule.hubRoot, root) };
      composed.push(...composedOf(known, here, root).map((rule) => ({ rule, from: known, own: true })));
    }
  for (const one of moved)
    for (const root of given.types.spoke.of(hubRootOf(one, move))) {
      const here = { ...move, rules: between(rules, one.rule.hubRoot, root) };
      const isStoodFor = here.rules.some((known) => standsFor(known, one, here));
      const rule = isStoodFor ? undefined : ofItself(one, here, root);
      const preset = rule && presetOf(rule);
      // The spoke has said what its own writes bring.
      const isSaid = preset !== undefined && composed.some((other) => presetOf(other.rule) === preset);
      if (rule !== undefined && !isSaid) composed.push({ rule, from: one, own: false });
    }
  // Two types of one version may correspond to one of another, and their rules then say the same.
  return composed.filter((one, i) => !composed.slice(0, i).some((other) => isRepeated(one, other)));
}

function isRepeated(one: Composed, other: Composed): boolean {
  if (isRefusal(one.rule)) return isRefusal(other.rule) && one.from === other.from;
  return isDeepStrictEqual(one.rule, other.rule);
}

/** Returns the rules without those that convert a type of the old hub to another type than one. */
function between(rules: KnownRule[], hubRoot: string | undefined, spokeRoot: string): KnownRule[] {
  return rules.filter(
    ({ rule }) =>
      hubRoot === undefined || rule.hubRoot !== hubRoot || (rule.spokeRoot ?? spokeRoot) === spokeRoot,
  );
}

/** Returns where a rule of the new hub starts in the old hub. A default for a field of the new hub names only its type there. */
function hubRootOf({ rule: { hubRoot, spokeRoot } }: KnownRule, { types }: Composing): string {
  return hubRoot ?? types.hub.hubTypeOf(spokeRoot!);
}

/** Returns the field of the hub that a rule `default` is for. */
function presetOf(rule: RawRule | Refusal): Json | undefined {
  return isRefusal(rule) ? undefined : rule.default?.['hub'];
}

/** Returns true where the rules that one of the spoke's becomes say what one of the new hub's says. */
function standsFor(known: KnownRule, one: KnownRule, move: Composing): boolean {
  if (known.rule.name === 'default') return false;
  if (covers(one.rule, known.rule) && (one.rule.name !== 'rename' || isExactly(one.rule, known.rule)))
    return true;
  const successors = known.hubs[move.to];
  return meets(known, one, move) && (successors === undefined || isReplaced(one, successors));
}

/** Returns true where one rule is for single elements, and the other, which differs, for all of them. */
function meets(known: KnownRule, one: KnownRule, { moved, rules }: Composing): boolean {
  return overlap(one.rule, known.rule) && !(isIn(rules, one) && isIn(moved, known));
}

/** Returns the rules for the new hub that one of the spoke's becomes; none where its successors replace it. */
function composedOf(known: KnownRule, move: Composing, root: string): (RawRule | Refusal)[] {
  const { rule, hubs } = known;
  if (hubs[move.to] !== undefined) return [];
  const covering = move.moved.filter((one) => covers(one.rule, rule));
  const changes = covering.filter((one) => one.rule.name !== 'rename');
  const meeting = move.moved.find((one) => meets(known, one, move));
  if (meeting !== undefined) return [refusalOf(known, changes[0] ?? meeting, move)];
  // Both versions changed the old hub's fields in the same way, and have them at the same paths.
  if (rule.name !== 'default' && isIn(covering, known)) return sideBySide(known, known, move);
  const inside = move.moved.find(
    (one) => one.rule.name !== 'default' && !covering.includes(one) && covers(rule, one.rule),
  );
  if (inside !== undefined && !CONTAINERS.includes(rule.name)) return [refusalOf(known, inside, move)];
  const found = changes.length === 0 ? [withHub(known, covering, root)] : through(known, changes, move);
  return found
    .filter((one) => {
      // If the new hub lacks the object, its fields have rules of their own.
      const needed = isRefusal(one) ? undefined : (one.default ?? one.rename)?.['hub'];
      const isThere = (path: string) =>
        move.isInHub(path) && !isTaken(path, pathsOf(rule, 'hub'), move.moved);
      return needed === undefined || isThere(String(needed));
    })
    .map((one, i) => (i > 0 || isRefusal(one) ? one : withHubs(one, hubs)));
}

/**
 * Returns the rules that replace others under the new hub, as declared by their `hubs`. When the hub moves back, the
 * first of them is replaced by the originals again.
 */
function replaced({ rules, from, to }: Composing): Composed[] {
  const given = rules.filter(({ hubs }) => hubs[to] !== undefined);
  const others = new Set(given.flatMap(({ hubs }) => Object.keys(hubs)).filter((version) => version !== to));
  const all = (version: string) => given.flatMap(({ hubs }) => hubs[version] ?? []);
  const hubs = Object.fromEntries([...others].map((version) => [version, all(version)]));
  const first: Hubs = { ...hubs, [from]: given.map(({ raw }) => raw) };
  const rest: Hubs = Object.fromEntries(Object.keys(first).map((version) => [version, []]));
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
  const paths = pathsOf(rule, 'spoke');
  return named.some((one) => paths.some((path) => one.startsWith(path) || path.startsWith(one)));
}

/** Adds to a rule those that replace it under other hubs. */
function withHubs(rule: RawRule, hubs: Hubs): RawRule {
  if (Object.keys(hubs).length === 0) return rule;
  const [{ hubs: own }] = Object.values(rule);
  return withMember(rule, 'hubs', { ...(own as Hubs | undefined), ...hubs });
}

/** Rules between two values with values inside, for which there may be rules below. */
const CONTAINERS = ['rename', 'index', 'wrap'];

/** Returns a rule of the spoke together with the new hub's for the same fields, or objects around them. */
function through(known: KnownRule, changes: KnownRule[], move: Composing): (RawRule | Refusal)[] {
  const { rule, raw } = known;
  const [other] = changes;
  if (changes.length === 1 && isExactly(other.rule, rule)) {
    if (rule.name === 'rename') {
      const inverted = invertRule(other.raw, other.rule, other.pairs);
      if (inverted === undefined || isRefusal(inverted)) return [inverted ?? raw];
      return [withMember(inverted, 'spoke', raw['rename']['spoke'])];
    }
    if (saysTheSame(known, other)) return sideBySide(other, known, move);
    if (rule.name === 'scale' && other.rule.name === 'scale') {
      const [ours, theirs] = [raw, other.raw].map(({ scale }) => parseFactor(scale['factor'])!);
      const factor = factorText(divided(ours, theirs)!);
      return [{ scale: { hub: other.raw['scale']['spoke'], spoke: raw['scale']['spoke'], factor } }];
    }
    if (rule.name === 'map' && other.rule.name === 'map') return [composeMaps(known, other)];
  }
  return [refusalOf(known, other, move)];
}

/** Returns true for rules that differ only in where their versions have the fields. */
function saysTheSame(one: KnownRule, other: KnownRule): boolean {
  const said = ({ raw, rule }: KnownRule) =>
    Object.entries(raw).map(([name, { spoke: _, ...rest }]) => [name, rest, rule.spoke.length]);
  return isDeepStrictEqual(said(one), said(other));
}

/** Returns rules for fields that two versions made of the old hub's in the same way. */
function sideBySide(hub: KnownRule, spoke: KnownRule, move: Composing): RawRule[] {
  const theirs = pathsOf(spoke.rule, 'spoke');
  const named = [...move.moved, ...move.rules].flatMap(({ rule }) => pathsOf(rule, 'spoke'));
  const found = pathsOf(hub.rule, 'spoke').flatMap((path, i) =>
    move.ofSameValue(path, theirs[i]).filter((rule, r) => r === 0 || !isNamed(rule, named)),
  );
  const rules = found.filter(saysSomething);
  if (found.length === theirs.length && found.every(({ rename }) => rename !== undefined)) return rules;
  // They have no inverse that leads to the rule that they come from.
  return rules.map((rule, i) => withHubs(rule, { ...spoke.hubs, [move.from]: i === 0 ? [spoke.raw] : [] }));
}

function isNamed({ rename }: RawRule, named: string[]): boolean {
  return named.includes(String(rename['hub'])) || named.includes(String(rename['spoke']));
}

/** Returns false for the rename of a field to its own path. */
function saysSomething({ rename }: RawRule): boolean {
  return rename === undefined || rename['hub'] !== rename['spoke'];
}

/** The step of a path to the elements of a list, or to the entries of a map. */
const ELEMENTS = /\[\]|\{\}/;
/** The same at the end of a path. */
const LAST_ELEMENTS = /(\[\]|\{\})$/;
/** The step to one of them, by its key. */
const ONE_ELEMENT = /\[[^\]]+\]|\{[^}]+\}/;

/** Returns the reason why two rules have no successor, and the rule that the user can write instead. */
function refusalOf(known: KnownRule, other: KnownRule, { to, version, proposed }: Composing): Refusal {
  const fields = pathsOf(known.rule, 'hub').join(', ');
  const element = ONE_ELEMENT.exec(fields)?.[0];
  const inHub = pathsOf(other.rule, 'spoke').map((path) =>
    element === undefined ? path : path.replace(ELEMENTS, element),
  );
  const inSpoke = pathsOf(known.rule, 'spoke');
  // The elements of a list of values are no fields that a custom rule could name: the list is.
  const areElements = [...inHub, ...inSpoke].some((path) => LAST_ELEMENTS.test(path));
  const paths = [inHub, inSpoke].map((all) =>
    areElements ? all.map((path) => path.replace(LAST_ELEMENTS, '')) : all,
  );
  const depths = new Set(paths.flat().map((path) => path.split(ELEMENTS).length));
  // A custom rule converts fields of the same elements, or whole lists and maps.
  const usable = depths.size === 1 ? paths : paths.map((all) => all.map((path) => path.split(ELEMENTS)[0]));
  const message = `the rules ${known.rule.name} and ${other.rule.name} for ${fields} cannot be combined`;
  if (known.rule.name === 'default') {
    const rule = `default: { hub: ${quotedPath(inHub[0])}, value: … }`;
    return { message, hint: `write the default for ${to} into this one: \`hubs: { ${to}: [{ ${rule} }] }\`` };
  }
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

/** Returns the rule for a change of the new hub to a field that the spoke has as the old hub had it. */
function ofItself(
  one: KnownRule,
  { moved, rules, isInSpoke, isInHub, types }: Composing,
  root: string,
): RawRule | Refusal | undefined {
  const { rule, raw } = one;
  const ours = pathsOf(rule, 'hub');
  const renamed = ours.map((path) => spokePath(path, rules, root));
  const isThere = (path: string) => isInSpoke(path) && !isTaken(path, ours, rules);
  if (rule.name === 'default') {
    const value = rule.options.value!;
    if (rule.spoke.length > 0) {
      return isInSpoke(withRoot(pathsOf(rule, 'spoke')[0], root))
        ? undefined
        : { default: { hub: raw['default']['spoke'], value } };
    }
    // What the old hub always had, since the new one's writes brought it, the spoke shows where nothing is known.
    const [path] = renamed;
    const isSaid = rules.some(
      (known) => known.rule.name === 'default' && known.raw['default']['spoke'] === path,
    );
    const renames = moved.filter(({ rule }) => rule.name === 'rename');
    const [inHub] = types.hub.of(rule.hubRoot!);
    const isKept = isInHub(String(withHub(one, renames, inHub)['default']['hub']));
    return isThere(path) && !isSaid && !isKept ? { default: { spoke: path, value } } : undefined;
  }
  if (!renamed.some(isThere)) return undefined;
  const inverted = invertRule(raw, rule, one.pairs);
  if (inverted === undefined || isRefusal(inverted)) return inverted;
  return withPaths(inverted, 'spoke', renamed);
}

/** Returns where a version has a field of the old hub, by its own rules for what the field is in; `root` is where its paths start. */
export function spokePath(path: string, rules: KnownRule[], root: string): string {
  const [nearest] = rules
    .filter(({ rule }) => CONTAINERS.includes(rule.name))
    .map(({ rule }) => ({ rule, above: pathsOf(rule, 'hub')[0] }))
    .filter(({ above }) => isWithin(path, above))
    .sort((one, other) => other.above.length - one.above.length);
  if (nearest === undefined) return withRoot(path, root);
  return pathsOf(nearest.rule, 'spoke')[0] + inSpoke(nearest.rule, path.slice(nearest.above.length));
}

/** Returns true if the rules of a version say that its field at a path comes from others than `ours` of the old hub. */
function isTaken(path: string, ours: string[], rules: KnownRule[]): boolean {
  const naming = rules.filter(
    ({ rule }) => rule.name !== 'default' && pathsOf(rule, 'spoke').some((above) => isWithin(path, above)),
  );
  const isOurs = ({ rule }: KnownRule) =>
    pathsOf(rule, 'hub').some((above) => ours.some((one) => isWithin(one, above)));
  return naming.length > 0 && !naming.some(isOurs);
}

/** A path from another start. */
function withRoot(path: string, root: string): string {
  return path.replace(/^\w+/, root);
}

/** The path inside what a rule converts, as the spoke has it: the list of a `wrap` is left out or put in. */
function inSpoke({ name }: Rule, rest: string): string {
  if (name === 'index') return rest.replace(/^(\[\]|\{\})/, (step) => (step === '[]' ? '{}' : '[]'));
  if (name === 'wrap') return rest.startsWith('[]') ? rest.slice(2) : rest === '' ? rest : `[]${rest}`;
  return rest;
}

/** A rule with its hub paths where the new hub has them, below what it renamed. */
function withHub({ rule, raw }: KnownRule, renames: KnownRule[], root: string): RawRule {
  if (rule.hub.length === 0) return raw;
  const paths = pathsOf(rule, 'hub').map((path) => spokePath(path, renames, root));
  return withPaths(raw, 'hub', paths);
}

/** A rule with other paths on a side: a list where it has one. */
export function withPaths(raw: RawRule, side: Side, paths: string[]): RawRule {
  const [members] = Object.values(raw);
  return withMember(raw, side, Array.isArray(members[side]) ? paths : paths[0]);
}

function composeMaps(known: KnownRule, other: KnownRule): RawRule {
  type MaybePair = [hub: Json | undefined, spoke: Json | undefined];
  const [ours, theirs] = [mapOf(other), mapOf(known)];
  const read = other.pairs!.map(([, value]): MaybePair => [value, theirs.get(ours.put(value))]);
  const written = known.pairs!.map(([, value]): MaybePair => [ours.get(theirs.put(value)), value]);
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

/** Returns true where a rule converts a field of the old hub that another names, or an object that contains it. */
function covers(outer: Rule, inner: Rule): boolean {
  if (outer.name === 'default' || outer.hubRoot !== inner.hubRoot) return false;
  return outer.hub.some((one) => inner.hub.some((other) => stepsBelow(other, one) !== undefined));
}

function isExactly(one: Rule, other: Rule): boolean {
  return isDeepStrictEqual(pathsOf(one, 'hub'), pathsOf(other, 'hub'));
}

function withMember(raw: RawRule, member: string, value: Json): RawRule {
  const [name] = Object.keys(raw);
  return { [name]: { ...raw[name], [member]: value } };
}
