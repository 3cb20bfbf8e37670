import type { KindVersion, SharedType } from '../../model/project';
import { rootSlot } from '../plan/conversion';
import type { RawRule } from '../rules/invert-rule';
import { parsePath } from '../rules/path';
import { type Slot, Types } from '../rules/slot';

/** A field of a version, by its path. */
interface At {
  version: KindVersion;
  path: string;
}

/** Returns the rules between fields of two versions that were made of one value of a third version in the same way. */
export function rulesOfSameValue(hub: At, spoke: At, all: SharedType[]): RawRule[] {
  const types = new Types(all);
  const [one, other] = [slotAt(hub, types), slotAt(spoke, types)];
  const sides = { hub: hub.path, spoke: spoke.path };
  const numbers = ['integer', 'number'];
  if (one.kind !== other.kind && numbers.includes(one.kind) && numbers.includes(other.kind))
    return [{ scale: { ...sides, factor: 1 } }];
  return [{ rename: sides }, ...elementRules(hub, spoke, types)];
}

/** Two lists that were made of one map may have other names for the key, and for the value where that is a single field. */
function elementRules(hub: At, spoke: At, types: Types): RawRule[] {
  const [one, other] = [namesIn(hub, types), namesIn(spoke, types)];
  if (one === undefined || other?.length !== one.length || one.length > 2) return [];
  return one.flatMap((name, i) =>
    name === other[i]
      ? []
      : [{ rename: { hub: `${hub.path}[].${name}`, spoke: `${spoke.path}[].${other[i]}` } }],
  );
}

/** Returns the fields of the elements of a list with a key, the key first; undefined for anything else. */
function namesIn(at: At, types: Types): string[] | undefined {
  const type = slotAt(at, types);
  if (type.kind !== 'list' || type.key === undefined) return undefined;
  const names = types.fields(type.items.type)?.map(({ name }) => name) ?? [];
  return [type.key, ...names.filter((name) => name !== type.key)];
}

function slotAt({ version, path }: At, types: Types): Slot['type'] {
  const { root, steps } = parsePath(path)!;
  return (types.follow(rootSlot(root, version, types), steps) as Slot).type;
}
