import { editDistance } from '../../../templates/runtime/model/suggest';
import { type Slot, typeName } from '../rules/slot';
import type { OneSided } from './planning';

/** The field of the other version that one is most likely renamed from: same type, same or similar name. */
export function likeliest(field: OneSided, all: OneSided[]): OneSided | undefined {
  const wanted = kin(field);
  const ranked = all
    .filter((other) => other.side !== field.side && kin(other) === wanted)
    .map((other) => ({ other, rank: distance(field.slot, other.slot) }))
    .sort((one, two) => one.rank - two.rank);
  return ranked[0]?.other;
}

/** Returns the properties that a field shares with each field that it may be renamed from, as one string. */
function kin({ elements, slot: { text, type } }: OneSided): string {
  const [root] = text.split(/[.[{]/);
  const steps = text.replace(/[^[\]{}]/g, '');
  return JSON.stringify([elements, root, steps, typeName(type)]);
}

/** 0 for the same name elsewhere; names that share letters come next; another parent counts a little. */
function distance(one: Slot, other: Slot): number {
  const [a, b] = [one, other].map((slot) => lastOf(slot).toLowerCase());
  const contained = a.includes(b) || b.includes(a) ? 0.3 : 1;
  const names = a === b ? 0 : contained * (editDistance(a, b) / Math.max(a.length, b.length));
  return names + (parentOf(one) === parentOf(other) ? 0 : 0.2);
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
