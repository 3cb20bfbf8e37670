import type { FieldType } from '../../model/project';
import { scalar } from '../rules/fits';
import { isStatic, parsePath, quotedPath } from '../rules/path';
import { pathsOf, type Rule, SIDES } from '../rules/rule';
import { type Slot, typeName, type Types } from '../rules/slot';
import { enumerated, isNumber, joinedSide, valueFor } from './codec-rules';

/** Rules that convert between two fields together, written out. */
type Together = string[];

/**
 * Returns a hint with the rules that could convert between two fields. `because` is the rule that pairs the two: what
 * converts the same fields replaces it.
 */
export function fittingRules(hub: Slot, spoke: Slot, types: Types, because?: Rule): string {
  const [ours, theirs] = SIDES.map((side) => because && pathsOf(because, side)[0]);
  const isItself = ours === hub.text && theirs === spoke.text;
  const instead = because === undefined ? 'add' : 'replace this rule by';
  const same = isItself && isPair(hub.type, spoke.type, types) ? [[rule('rename', hub, spoke)]] : [];
  const rules = [...same, ...alternatives(hub, spoke, types)].map((all) =>
    all.map((rule) => `\`- ${rule}\``).join(' and '),
  );
  const custom = `\`- ${customRule(hub, whole(ours ?? hub.text), whole(theirs ?? spoke.text))}\``;
  if (rules.length === 0) return `${instead} ${custom}`;
  const last = because === undefined || isItself ? custom : `${instead} ${custom}`;
  return `${isItself ? instead : 'add'} ${rules.join(', or ')}; for anything else, ${last}`;
}

/** The ways to convert between two fields. */
function alternatives(hub: Slot, spoke: Slot, types: Types): Together[] {
  const [one, other] = [hub.type, spoke.type];
  const kinds = [one.kind, other.kind];
  if (kinds.includes('list') && kinds.includes('map')) return indexed(hub, spoke, types);
  const isWrapped = Math.abs(depth(one) - depth(other)) === 1;
  const found = isWrapped
    ? [...wrapped(hub, spoke, types), ...joined(hub, spoke)]
    : single(hub, spoke, types);
  return [...found, ...renamed(hub, spoke, types)];
}

/** Rules between a list and its first element, with those that convert the element. */
function wrapped(hub: Slot, spoke: Slot, types: Types): Together[] {
  const isHub = depth(hub.type) > depth(spoke.type);
  const element = types.inside(isHub ? hub : spoke);
  const [one, other] = isHub ? [element, spoke] : [hub, element];
  return withRule(rule('wrap', hub, spoke), one, other, types);
}

/** Rules between a map and a list with a key, with those that convert the values. */
function indexed(hub: Slot, spoke: Slot, types: Types): Together[] {
  const [map, list] = hub.type.kind === 'map' ? [hub, spoke] : [spoke, hub];
  if (list.type.kind !== 'list') return [];
  const { key } = list.type;
  const [element, value] = [types.inside(list), types.inside(map)];
  const fields = types.fields(element.type) ?? [];
  const kind = fields.find(({ name }) => name === key)?.type.kind;
  if (kind !== 'string' && kind !== 'integer') return [];
  const index = rule('index', hub, spoke);
  if (types.fields(value.type) !== undefined) return [[index]];
  const others = fields.filter(({ name }) => name !== key);
  const candidates = [
    ...others.filter(({ required }) => required),
    ...others.filter(({ required }) => !required),
  ].map((field) => types.field(element, field));
  const sides = (slot: Slot): [hub: Slot, spoke: Slot] => (map === hub ? [value, slot] : [slot, value]);
  const same = candidates.find(({ type }) => isPair(type, value.type, types));
  if (same !== undefined)
    return [candidates.length === 1 ? [index] : [index, rule('rename', ...sides(same))]];
  const ways = candidates.map((slot) => withRule(index, ...sides(slot), types));
  return ways.find((found) => found.length > 0) ?? [];
}

/** Returns the rules that convert the values of a map to a field of a list's elements, besides the `index` of the two. */
export function valueRules(hub: Slot, spoke: Slot, types: Types): string[] | undefined {
  return indexed(hub, spoke, types)[0]?.slice(1);
}

/** A rule between two containers, with those for the values inside where these differ. */
function withRule(outer: string, hub: Slot, spoke: Slot, types: Types): Together[] {
  if (isPair(hub.type, spoke.type, types)) return [[outer]];
  return alternatives(hub, spoke, types).map((inner) => [outer, ...inner]);
}

/** A list of strings and one string. */
function joined(hub: Slot, spoke: Slot): Together[] {
  return joinedSide(hub, spoke) === undefined ? [] : [[rule('join', hub, spoke, ', separator: ","')]];
}

/** Rules between two single values. */
function single(hub: Slot, spoke: Slot, types: Types): Together[] {
  const isText = (slot: Slot) => scalar(slot.type) === 'string';
  const isValue = (slot: Slot) => isNumber(slot.type) || slot.type.kind === 'boolean';
  if (isNumber(hub.type) && isNumber(spoke.type)) return [[rule('scale', hub, spoke, ', factor: 1')]];
  if (enumerated(hub) && enumerated(spoke)) return [[rule('map', hub, spoke, ', values: { … }')]];
  const map = rule('map', hub, spoke, ', values: { … }, otherwise: { … }');
  if (isText(hub) && isValue(spoke)) {
    const preset = valueFor(spoke, types) ?? '…';
    return [[rule('cast', hub, spoke, `, otherwise: { spoke: ${preset} }`)], [map]];
  }
  if (isValue(hub) && isText(spoke)) return [[rule('cast', hub, spoke)], [map]];
  return isValue(hub) && isValue(spoke) ? [[map]] : [];
}

/** Renames of a field inside an object: to a value that is no object, or to an entry of a map. */
function renamed(hub: Slot, spoke: Slot, types: Types): Together[] {
  const ours = fieldInside(hub, spoke, types);
  if (ours !== undefined) return [[rule('rename', ...ours)]];
  const theirs = fieldInside(spoke, hub, types);
  return theirs === undefined ? [] : [[rule('rename', theirs[1], theirs[0])]];
}

/** The field of an object, and the other value or its entry, that may be the same. */
function fieldInside(
  object: Slot,
  other: Slot,
  types: Types,
): [field: Pick<Slot, 'text'>, value: Pick<Slot, 'text'>] | undefined {
  const fields = types.fields(object.type);
  if (fields === undefined || types.fields(other.type) !== undefined) return undefined;
  const { type } = other;
  // Only objects of single places can have fields that are entries of a map.
  if (type.kind === 'map' && ![object, other].every(({ text }) => isStatic(parsePath(text)!.steps)))
    return undefined;
  const value = type.kind === 'map' ? type.values.type : type;
  const fitting = fields.filter(({ type }) => typeName(type) === typeName(value));
  const field = fitting.find(({ required }) => required) ?? fitting[0];
  if (field === undefined) return undefined;
  const entry = type.kind === 'map' ? `{${field.name}}` : '';
  return [{ text: `${object.text}.${field.name}` }, { text: other.text + entry }];
}

/** Returns true for types of which the values belong together without a rule between them. */
function isPair(one: FieldType, other: FieldType, types: Types): boolean {
  if (one.kind === 'list' && other.kind === 'list') return isPair(one.items.type, other.items.type, types);
  if (one.kind === 'map' && other.kind === 'map') return isPair(one.values.type, other.values.type, types);
  const objects = [one, other].filter((type) => types.fields(type) !== undefined).length;
  return objects === 2 || (objects === 0 && scalar(one) === scalar(other));
}

/** Returns how many lists a type consists of, one in the other. */
export function depth(type: FieldType): number {
  return type.kind === 'list' ? 1 + depth(type.items.type) : 0;
}

function customRule(hub: Slot, ours: string, theirs: string): string {
  const name = hub.text.split(/\W+/).findLast((part) => /^[a-z]/.test(part)) ?? 'field';
  return `custom: { hub: [${quotedPath(ours)}], spoke: [${quotedPath(theirs)}], name: ${name.replace(/[^A-Za-z0-9]/g, '')} }`;
}

/** The list or map that a value is an element or entry of. */
function whole(text: string): string {
  return text.replace(/(\[[^\]]*\]|\{[^}]*\})+$/, '');
}

function rule(name: string, hub: Pick<Slot, 'text'>, spoke: Pick<Slot, 'text'>, rest = ''): string {
  return `${name}: { hub: ${quotedPath(hub.text)}, spoke: ${quotedPath(spoke.text)}${rest} }`;
}
