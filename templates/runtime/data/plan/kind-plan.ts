import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import type { KindData, ReferenceField, ScalarType, SelectableField } from '../../model/kinds/kind-data';
import { NAME_INDEX, UID_INDEX } from '../../store/indexing/resource-index';

/** The members of metadata that every kind with selectable fields can be selected and sorted by, in every version. */
const METADATA_FIELDS: readonly SelectableField[] = [
  { path: ['metadata', 'name'], type: 'string', index: NAME_INDEX },
  { path: ['metadata', 'uid'], type: 'string', index: UID_INDEX },
  { path: ['metadata', 'createdAt'], type: 'timestamp', index: 'metadata.createdAt' },
  { path: ['metadata', 'updatedAt'], type: 'timestamp', index: 'metadata.updatedAt' },
];

/** A unique field of the hub. */
interface UniqueField {
  path: readonly string[];
  index: string;
  type: ScalarType;
}

/** A reference field of the hub, with the kind of its targets. */
export interface ReferencePlan extends ReferenceField {
  /** The field as a dotted path. */
  field: string;
  collection: string;
  target: KindDefinition;
}

/** The declarations of a kind, resolved. */
export interface KindPlan {
  kind: KindDefinition;
  collection: string;
  data: KindData;
  /** The fields with indexes, by the version whose representation has their values: the hub first. */
  indexed: { version: string; fields: readonly SelectableField[] }[];
  unique: UniqueField[];
  references: ReferencePlan[];
}

/** Returns the fields that lists of a kind in a version can be selected and sorted by; none where it has no such fields. */
export function selectableIn(data: KindData, version: string): readonly SelectableField[] {
  if (!hasIndexes(data)) return [];
  return [...METADATA_FIELDS, ...(data.selectable?.[version] ?? [])];
}

/** Returns whether resources of a kind have entries to select by. */
function hasIndexes({ uniqueNames, selectable = {} }: KindData): boolean {
  return uniqueNames === true || Object.values(selectable).some(({ length }) => length > 0);
}

/**
 * Resolves the declarations of a kind. `kinds` has all kinds of the service, by collection. Its unique fields are selectable,
 * and it refers to no others.
 */
export function planOf(
  kind: KindDefinition,
  data: KindData,
  kinds: ReadonlyMap<string, KindDefinition>,
): KindPlan {
  const { storageVersion } = kind;
  const inHub = data.selectable?.[storageVersion] ?? [];
  const unique = (data.unique ?? []).map((path): UniqueField => {
    const index = path.join('.');
    const { type } = inHub.find((field) => field.path.join('.') === index)!;
    return { path, index, type };
  });
  const references = (data.references ?? []).map((reference): ReferencePlan => {
    const target = kinds.get(`${kind.group}/${reference.kind}`)!;
    return { ...reference, field: reference.path.join('.'), collection: collectionOf(target), target };
  });
  return {
    kind,
    collection: collectionOf(kind),
    data,
    indexed: indexedFields(kind, data),
    unique,
    references,
  };
}

function indexedFields({ storageVersion }: KindDefinition, data: KindData): KindPlan['indexed'] {
  if (!hasIndexes(data)) return [];
  const { [storageVersion]: inHub = [], ...others } = data.selectable ?? {};
  const inOthers = Object.entries(others).map(([version, fields]) => ({ version, fields }));
  return [{ version: storageVersion, fields: [...METADATA_FIELDS, ...inHub] }, ...inOthers];
}
