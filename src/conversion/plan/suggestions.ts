import { editDistance } from '../../../templates/runtime/model/suggest';
import { enumerated, isNumber } from './codec-rules';
import { scalar } from '../rules/fits';
import type { OneSided } from './planning';
import { type Slot, typeName, type Types } from '../rules/slot';

/** The rules that could convert between two fields, written out. */
export function fittingRules(hub: Slot, spoke: Slot, types: Types): string {
  const sides = `hub: ${path(hub)}, spoke: ${path(spoke)}`;
  const rules = fitting(hub, spoke).map(([rule, rest]) => `\`- ${rule}: { ${sides}${rest} }\``);
  return listed([...rules, ...renames(hub, spoke, types)], customRule(hub, spoke));
}

/** Renames of a field inside an object: to a value that is no object, or to an entry of a map. */
function renames(hub: Slot, spoke: Slot, types: Types): string[] {
  const rename = (one: string, other: string) =>
    `\`- rename: { hub: ${path({ text: one })}, spoke: ${path({ text: other })} }\``;
  const inside = (object: Slot, other: Slot): [field: string, value: string] | undefined => {
    const fields = types.fields(object.type);
    if (fields === undefined || types.fields(other.type) !== undefined) return undefined;
    const value = other.type.kind === 'map' ? other.type.values.type : other.type;
    const fitting = fields.filter(({ type }) => typeName(type) === typeName(value));
    const field = fitting.find(({ required }) => required) ?? fitting[0];
    if (field === undefined) return undefined;
    const entry = other.type.kind === 'map' ? `{${field.name}}` : '';
    return [`${object.text}.${field.name}`, other.text + entry];
  };
  const ours = inside(hub, spoke);
  if (ours !== undefined) return [rename(ours[0], ours[1])];
  const theirs = inside(spoke, hub);
  return theirs === undefined ? [] : [rename(theirs[1], theirs[0])];
}

function fitting(hub: Slot, spoke: Slot): [rule: string, rest: string][] {
  const [one, other] = [hub.type, spoke.type];
  if (isNumber(one) && isNumber(other)) return [['scale', ', factor: 1']];
  if (enumerated(hub) && enumerated(spoke)) return [['map', ', values: { … }']];
  const text = (slot: Slot) => scalar(slot.type) === 'string';
  const value = (slot: Slot) => isNumber(slot.type) || slot.type.kind === 'boolean';
  if (text(hub) && value(spoke)) {
    return [
      ['cast', `, otherwise: { spoke: ${spoke.type.kind === 'boolean' ? 'false' : '0'} }`],
      ['map', ', values: { … }, otherwise: { … }'],
    ];
  }
  if (value(hub) && text(spoke))
    return [
      ['cast', ''],
      ['map', ', values: { … }, otherwise: { … }'],
    ];
  const texts = (slot: Slot) => slot.type.kind === 'list' && slot.type.items.type.kind === 'string';
  if ((texts(hub) && text(spoke)) || (text(hub) && texts(spoke)))
    return [
      ['wrap', ''],
      ['join', ', separator: ","'],
    ];
  if ((one.kind === 'map' && other.kind === 'list') || (one.kind === 'list' && other.kind === 'map'))
    return [['index', '']];
  if (one.kind === 'list' && typeName(one.items.type) === typeName(other)) return [['wrap', '']];
  if (other.kind === 'list' && typeName(other.items.type) === typeName(one)) return [['wrap', '']];
  if ((one.kind === 'list') !== (other.kind === 'list')) return [['wrap', '']];
  if (value(hub) && value(spoke)) return [['map', ', values: { … }, otherwise: { … }']];
  return [];
}

function customRule(hub: Slot, spoke: Slot): string {
  const name = (hub.text.split(/\W+/).findLast((part) => /^[a-z]/.test(part)) ?? 'field').replace(
    /[^A-Za-z0-9]/g,
    '',
  );
  const whole = (slot: Slot) => path({ ...slot, text: slot.text.replace(/(\[\]|\{\})+$/, '') });
  return `\`- custom: { hub: [${whole(hub)}], spoke: [${whole(spoke)}], name: ${name} }\``;
}

function listed(rules: string[], last: string): string {
  return rules.length === 0 ? `add ${last}` : `add ${rules.join(', or ')}; for anything else, ${last}`;
}

/** A path as it stands in YAML. */
export function path({ text }: Pick<Slot, 'text'>): string {
  return /[[\]{}]/.test(text) ? `"${text}"` : text;
}

/** The field of the other version that one is most likely renamed from: same type, same or similar name. */
export function likeliest(field: OneSided, all: OneSided[]): OneSided | undefined {
  const name = lastOf(field.slot);
  const ranked = all
    .filter(
      (other) =>
        other.side !== field.side &&
        sameRoot(other.slot, field.slot) &&
        loops(other.slot) === loops(field.slot),
    )
    .filter((other) => typeName(other.slot.type) === typeName(field.slot.type))
    .map((other) => ({ other, rank: distance(name, lastOf(other.slot), other.slot, field.slot) }))
    .sort((one, two) => one.rank - two.rank);
  return ranked[0]?.other;
}

/** 0 for the same name elsewhere; names that share letters come next; another parent counts a little. */
function distance(one: string, other: string, oneSlot: Slot, otherSlot: Slot): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const contained = a.includes(b) || b.includes(a) ? 0.3 : 1;
  const names = a === b ? 0 : contained * (editDistance(a, b) / Math.max(a.length, b.length));
  return names + (parentOf(oneSlot) === parentOf(otherSlot) ? 0 : 0.2);
}

function lastOf({ text }: Slot): string {
  return text
    .split('.')
    .at(-1)!
    .replace(/[[{].*$/, '');
}

function parentOf({ text }: Slot): string {
  return text.split('.').slice(0, -1).join('.');
}

function loops({ text }: Slot): string {
  return text.replace(/[^[\]{}]/g, '');
}

function sameRoot(one: Slot, other: Slot): boolean {
  return one.text.split(/[.[{]/)[0] === other.text.split(/[.[{]/)[0];
}
