import { PARTS } from '../../model/fields';
import type { FieldType, KindVersion, SharedType } from '../../model/project';
import { planConversion, rootSlot } from '../plan/conversion';
import { lensesInside, type LensPlan, reach } from '../plan/plan';
import { isWithin, parsePath, pathText } from '../rules/path';
import { type Slot, Types } from '../rules/slot';

/** Returns the paths of the fields that the old hub shares with a spoke and the new hub has nothing for. */
export function lostFields(
  spoke: KindVersion,
  { types, oldHub, newHub }: { types: SharedType[]; oldHub: KindVersion; newHub: KindVersion },
): string[] {
  const [moved, own] = [newHub, spoke].map((version) => planConversion(oldHub, version, types).plan);
  if (moved === undefined || own === undefined) return [];
  const known = new Types(types);
  const parts = PARTS.map((part) => ({ lens: own[part], slot: rootSlot(part, oldHub, known) }));
  const links = reach(own).flatMap((object) =>
    object.links.map(({ lens, hub }) => ({ lens, slot: hub.slot })),
  );
  const several = reach(own).flatMap((object) => object.several.flatMap(({ hub }) => hub));
  const namesOf = (text: string) => pathsBelowTypes(text, oldHub, known);
  const shared = [
    ...[...parts, ...links]
      .filter(({ lens }) => !isFieldByField(lens))
      .flatMap(({ lens, slot }) => [
        ...namesOf(slot.text),
        ...(hasTypes(lens) ? [] : typesIn(slot.type, known)),
      ]),
    ...several.flatMap(({ slot }) => namesOf(slot.text)),
  ];
  const hidden = reach(moved).flatMap((object) => object.hidden.map(({ slot }) => slot.text));
  return hidden.filter((field) =>
    namesOf(field).some((name) => shared.some((one) => isWithin(name, one) || isWithin(one, name))),
  );
}

/** Returns a path of a version, and the same from each shared type that it leads through. */
function pathsBelowTypes(text: string, version: KindVersion, types: Types): string[] {
  const { root, steps } = parsePath(text) ?? { root: text, steps: [] };
  let slot = rootSlot(root, version, types);
  return [
    text,
    ...steps.slice(0, -1).flatMap((step, i) => {
      slot = types.step(slot, step) as Slot;
      return slot.type.kind === 'ref' ? [pathText(slot.type.name, steps.slice(i + 1))] : [];
    }),
  ];
}

/** Returns the names of the shared types of a value and of everything inside it. */
function typesIn(type: FieldType, types: Types, found = new Set<string>()): string[] {
  if (type.kind === 'list') typesIn(type.items.type, types, found);
  if (type.kind === 'map') typesIn(type.values.type, types, found);
  if (type.kind === 'ref' && found.has(type.name)) return [];
  if (type.kind === 'ref') found.add(type.name);
  for (const field of types.fields(type) ?? []) typesIn(field.type, types, found);
  return [...found];
}

/** Returns true where the fields of a value have links of their own. Those of a shared type are named by the type. */
function isFieldByField(lens: LensPlan): boolean {
  return lens.kind === 'object' || lensesInside(lens).some(isFieldByField);
}

/** Returns true where the fields of shared types have links of their own. */
function hasTypes(lens: LensPlan): boolean {
  return lens.kind === 'type' || lensesInside(lens).some(hasTypes);
}
