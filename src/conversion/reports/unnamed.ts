import { findContainer } from '../plan/containers';
import type { Container, LensPlan, ObjectPlan } from '../plan/plan';
import { stepsText } from '../rules/path';
import { type Side, SIDES } from '../rules/rule';

/** A field of one version that no rule names, and its conversion in each direction. */
export interface UnnamedField {
  side: Side;
  path: string;
  read: string;
  write: string;
  /** True for what is preserved for the spoke. */
  isPreserved?: true;
}

/** Returns the keys and the remaining elements of lists and maps of which rules name single elements or entries. */
export function unnamedFields(object: ObjectPlan): UnnamedField[] {
  return SIDES.flatMap((side) => [...keysOf(object, side), ...othersOf(object, side)]);
}

/** The keys of the elements that rules name. */
function keysOf(object: ObjectPlan, side: Side): UnnamedField[] {
  const leaves = [
    ...object.links.map((link) => link[side]),
    ...object.several.flatMap((link) => link[side]),
    ...(side === 'hub' ? object.hidden : object.preserved),
  ];
  const found = leaves.flatMap((leaf) =>
    leaf.steps.flatMap((step, i) => {
      if (step.kind !== 'element') return [];
      const element = findContainer(object[side], leaf.steps.slice(0, i + 1))?.slot ?? leaf.slot;
      const value = `${step.value}, the key of the element`;
      const [read, write] = side === 'hub' ? ['not shown', value] : [value, 'selects the element'];
      return [{ side, path: `${element.text}.${step.key}`, read, write }];
    }),
  );
  return [...new Map(found.map((field) => [field.path, field])).values()];
}

/** The elements and entries that no rule names, of lists and maps that no other field stands for. */
function othersOf(object: ObjectPlan, side: Side): UnnamedField[] {
  const linked = new Set(object.links.map((link) => stepsText(link[side].steps)));
  const visit = ({ kind, steps, slot, children }: Container): UnnamedField[] => {
    const inside = children.flatMap(visit);
    if (kind === 'object' || linked.has(stepsText(steps))) return inside;
    const [path, others] =
      kind === 'list' ? [`${slot.text}[]`, 'other elements'] : [`${slot.text}{}`, 'other entries'];
    if (side === 'hub') {
      return [{ side, path, read: `${others}: not shown`, write: `${others}: unchanged` }, ...inside];
    }
    const read = `${others}: those last written through this version`;
    return [{ side, path, read, write: `${others}: preserved`, isPreserved: true }, ...inside];
  };
  return visit(object[side]);
}

/** Returns the key of a list that an `index` makes of a map, or a map of the list; it is at the paths of the two. */
export function indexFields(
  lens: LensPlan & { kind: 'mapAsList' | 'listAsMap' },
  at: { hub: string; spoke: string },
): UnnamedField {
  const side = lens.kind === 'mapAsList' ? 'spoke' : 'hub';
  const words = 'the key of the entry';
  return { side, path: `${at[side]}[].${lens.index.key}`, read: words, write: words };
}
