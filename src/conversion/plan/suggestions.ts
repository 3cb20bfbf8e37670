import { editDistance } from '../../../templates/runtime/model/suggest';
import { type Slot, typeName } from '../rules/slot';
import type { OneSided } from './planning';

/** The field of the other version that one is most likely renamed from: same type, same or similar name. */
export function likeliest(field: OneSided, all: OneSided[]): OneSided | undefined {
  const name = lastOf(field.slot);
  const ranked = all
    .filter(
      (other) =>
        other.side !== field.side &&
        other.elements === field.elements &&
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
