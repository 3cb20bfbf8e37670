import { own } from '../../model/fields/values';
import type { KindDefinition } from '../../model/kinds/kind';
import type { SelectableField } from '../../model/kinds/kind-data';
import { type HubState, versioningOf } from '../../model/kinds/versioning';
import { isUid, type Resource } from '../../model/resource';
import type { Json } from '../../model/schema';
import type { Labels } from '../../model/selectors/selector';
import { isTooLong, type Key, keyOf, keysOf } from '../../store/indexing/key';
import {
  type IndexEntry,
  NAME_INDEX,
  type Reference,
  type ResourceIndex,
  UID_INDEX,
} from '../../store/indexing/resource-index';
import type { KindPlan, ReferencePlan } from './kind-plan';

/** A string that is too long for an index, in the version that shows it. */
export interface TooLong {
  version: string;
  path: readonly string[];
}

/** The entries of a resource, and the strings that are too long for any: those have none. */
interface Entries {
  index: ResourceIndex;
  tooLong: TooLong[];
}

/** Returns all entries of a resource. What it refers to must have the labels of `scope`. */
export function entriesOf(plan: KindPlan, state: HubState, scope: Labels = {}): Entries {
  const { kind } = plan;
  const { hub } = state;
  const tooLong: TooLong[] = [];
  const fields = plan.indexed.flatMap(({ version, fields }) => {
    const shown = versioningOf(kind).shownIn(kind, state, version);
    return fields.flatMap((field) => {
      const value = valueAt(shown, field.path);
      if (isIndexedText(field) && isTooLong(value)) tooLong.push({ version, path: field.path });
      return keysIn(shown, field).map((key) => ({ index: field.index, key }));
    });
  });
  const references = plan.references.flatMap((field) => referencesOf(field, hub, scope));
  // Most other versions show the same value: the failure names the storage version's field alone.
  const inHub = tooLong.filter(({ version }) => version === kind.storageVersion);
  const index = { fields, unique: uniqueOf(plan, hub), references };
  return { index, tooLong: inHub.length > 0 ? inHub : tooLong };
}

/** Returns the keys of a field of a resource, as the version of the field shows it. */
export function keysIn(shown: Resource, { path, type, isList }: SelectableField): Key[] {
  return keysOf(short(valueAt(shown, path)), type, isList === true);
}

/** Returns the value of a field that is not below a list; undefined where it is absent. */
export function valueAt(resource: Resource, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(own, resource as unknown as Json);
}

/** Returns the references of a field, with the value of each. */
export function targetsOf({ path, isList }: Pick<ReferencePlan, 'path' | 'isList'>, hub: Resource): string[] {
  const value = valueAt(hub, path);
  const texts = isList === true ? (Array.isArray(value) ? value : []) : [value];
  return texts.filter((text) => typeof text === 'string' && !isTooLong(text)) as string[];
}

/** Returns the unique entry of a kind that a string names: a uid, or a name where those are unique. */
export function addressOf({ data, uidPrefix }: KindDefinition, text: string): IndexEntry {
  const isName = data?.uniqueNames === true && !isUidOf(uidPrefix, text);
  return { index: isName ? NAME_INDEX : UID_INDEX, key: keyOf(text, 'string')! };
}

/** Returns whether a string has the form of the uids with a prefix. */
export function isUidOf(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}-`) && isUid(text);
}

/** Returns whether the strings of a field are in an index. */
export function isIndexedText({ type }: SelectableField): boolean {
  return type === 'string' || type === 'timestamp';
}

/** Returns a value without strings that are too long. */
function short(value: Json | undefined): Json | undefined {
  if (!isTooLong(value)) return value;
  return Array.isArray(value) ? value.filter((element) => !isTooLong(element)) : undefined;
}

function uniqueOf({ data, unique }: KindPlan, hub: Resource): IndexEntry[] {
  const { name, uid } = hub.metadata;
  const entries: IndexEntry[] = [];
  if (data.uniqueNames === true && !isTooLong(name))
    entries.push({ index: NAME_INDEX, key: keyOf(name, 'string')! });
  if (data.isReferable === true) entries.push({ index: UID_INDEX, key: keyOf(uid, 'string')! });
  for (const { path, index, type } of unique) {
    const key = keyOf(short(valueAt(hub, path)), type);
    if (key !== undefined) entries.push({ index, key });
  }
  return entries;
}

/** Returns references without a scope where the resource had them before: what it referred to may stay. */
export function unscopedKnown(
  plan: KindPlan,
  references: readonly Reference[],
  before: Resource,
): Reference[] {
  const tokenOf = ({ field, index, key }: Reference): string => `${field} ${index} ${key}`;
  const known = new Set(plan.references.flatMap((field) => referencesOf(field, before, {})).map(tokenOf));
  return references.map((each) => (known.has(tokenOf(each)) ? { ...each, scope: {} } : each));
}

function referencesOf(reference: ReferencePlan, hub: Resource, scope: Labels): Reference[] {
  const { field, collection, target } = reference;
  const texts = new Set(targetsOf(reference, hub));
  return [...texts].map((text) => ({ field, kind: collection, ...addressOf(target, text), scope }));
}
