import type { HubState, Part, Preserved, StoredText } from '../../model/kinds/versioning';
import { type FieldTree, pointersIn, treeOf } from './field-path';

/** The member of the preserved fields that has the owners. No version has such a name. */
const MEMBER = 'fieldOwners';

/** A manager of fields, and the ids of the fields that it owns. */
export interface FieldOwner {
  manager: string;
  operation: 'Apply' | 'Update';
  part: Part;
  /** RFC 3339, without fractions: when the fields have last changed. */
  time: string;
  fields: ReadonlySet<string>;
}

/** An owner as it is stored: fields of the storage version, and those that only other versions have. */
interface StoredOwner extends Pick<FieldOwner, 'manager' | 'operation' | 'time'> {
  status?: true;
  hub: FieldTree;
  own?: { [version: string]: FieldTree };
}

/** Returns whether a row notes owners. */
export function hasOwners({ kept }: Pick<StoredText, 'kept'>): boolean {
  return kept?.includes(`"${MEMBER}"`) === true;
}

/** Returns the owners of a resource; undefined for one whose owners are not noted. */
export function ownersIn(state: Pick<HubState, 'preserved'>): FieldOwner[] | undefined {
  return storedIn(state)?.map(({ hub, own = {}, ...owner }) => ({
    ...roleOf(owner),
    fields: new Set([
      ...pointersIn(hub),
      ...Object.entries(own).flatMap(([version, tree]) => pointersIn(tree).map((each) => version + each)),
    ]),
  }));
}

/** An owner with its fields in one version, as a tree. */
export interface OwnedTree extends Omit<FieldOwner, 'fields'> {
  tree: FieldTree;
}

/** Returns the owners that a row in the storage version notes. */
export function storedTrees({ kept }: Pick<StoredText, 'kept'>): OwnedTree[] {
  return kept === null ? [] : hubTreesIn({ preserved: JSON.parse(kept) as Preserved });
}

/** Returns the owners of a resource with their fields in the storage version, as they are stored. */
export function hubTreesIn(state: Pick<HubState, 'preserved'>): OwnedTree[] {
  return (storedIn(state) ?? []).map(({ hub, ...owner }) => ({ ...roleOf(owner), tree: hub }));
}

function storedIn({ preserved }: Pick<HubState, 'preserved'>): StoredOwner[] | undefined {
  if (!Object.hasOwn(preserved, MEMBER)) return undefined;
  return (preserved[MEMBER] as { owners: StoredOwner[] }).owners;
}

function roleOf({ manager, operation, time, status }: Omit<StoredOwner, 'hub'>): Omit<FieldOwner, 'fields'> {
  return { manager, operation, time, part: status === true ? 'status' : 'spec' };
}

/** Returns the preserved fields of a resource with other owners. Owners of nothing are left out; undefined removes all of them. */
export function withOwners(
  { preserved }: Pick<HubState, 'preserved'>,
  owners: readonly FieldOwner[] | undefined,
): Preserved {
  const { [MEMBER]: _, ...others } = preserved;
  if (owners === undefined) return others;
  const stored = owners.filter(({ fields }) => fields.size > 0).sort(byRole);
  return { ...others, [MEMBER]: { owners: stored.map(storedOwner) } };
}

/** The order of stored owners, so that the same ones are the same text. */
function byRole(one: Role, other: Role): number {
  const keyOf = ({ manager, operation, part }: Role): string => [operation, part, manager].join(' ');
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function storedOwner({ manager, operation, time, part, fields }: FieldOwner): StoredOwner {
  const ids = [...fields].sort();
  const versions = new Set(ids.map((id) => id.slice(0, id.indexOf('/'))).filter((version) => version !== ''));
  const treeIn = (version: string): FieldTree =>
    treeOf(ids.filter((id) => id.startsWith(`${version}/`)).map((id) => id.slice(version.length)));
  const own = Object.fromEntries([...versions].map((version) => [version, treeIn(version)]));
  return {
    ...{ manager, operation, time },
    ...(part === 'status' && { status: true }),
    hub: treeIn(''),
    ...(versions.size > 0 && { own }),
  };
}

/** Returns a time as Kubernetes writes it: RFC 3339, without fractions. */
export function timeOf(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}

/** Returns whether two owners are the same manager in the same role. */
export function isSameOwner(one: Role, other: Role): boolean {
  return one.manager === other.manager && one.operation === other.operation && one.part === other.part;
}

type Role = Pick<FieldOwner, 'manager' | 'operation' | 'part'>;
