import type { Labels } from '../../../../templates/runtime/model/selectors/selector';
import { type Key, keyOf, keysOf } from '../../../../templates/runtime/store/indexing/key';
import {
  NAME_INDEX,
  type ResourceIndex,
  UID_INDEX,
} from '../../../../templates/runtime/store/indexing/resource-index';
import type { SingleWrite, Store, StoredResource } from '../../../../templates/runtime/store/store';
import { creation, updateOf } from '../store-writes';

/** Parts have unique names and skus, prices and tags, and refer to suppliers and to other parts. */
export const PART = 'example.svc.dev/Part';
export const SUPPLIER = 'example.svc.dev/Supplier';

export interface Values {
  name?: string;
  sku?: string;
  price?: number;
  tags?: string[];
  supplier?: string;
  related?: string[];
}

/** A kind and the labels that what it refers to must have. */
interface Context {
  kind?: string;
  scope?: Labels;
}

export const stringKey = (text: string): Key => keyOf(text, 'string')!;

/** The entries of a part, or of a supplier. A uid has a hyphen, and no name has. */
export function indexOf(uid: string, values: Values, { scope = {} }: Context = {}): ResourceIndex {
  const { name = uid, sku, price, tags, supplier, related = [] } = values;
  const reference = (field: string, target: string, text: string) => ({
    field,
    kind: target,
    index: text.includes('-') ? UID_INDEX : NAME_INDEX,
    key: stringKey(text),
    scope,
  });
  return {
    fields: [
      ...keysOf(name, 'string', false).map((key) => ({ index: NAME_INDEX, key })),
      ...keysOf(uid, 'string', false).map((key) => ({ index: UID_INDEX, key })),
      ...keysOf(sku, 'string', false).map((key) => ({ index: 'spec.sku', key })),
      ...keysOf(price, 'number', false).map((key) => ({ index: 'spec.price', key })),
      ...keysOf(tags, 'string', true).map((key) => ({ index: 'spec.tags', key })),
    ],
    unique: [
      { index: NAME_INDEX, key: stringKey(name) },
      { index: UID_INDEX, key: stringKey(uid) },
      ...(sku === undefined ? [] : [{ index: 'spec.sku', key: stringKey(sku) }]),
    ],
    references: [
      ...(supplier === undefined ? [] : [reference('spec.supplier', SUPPLIER, supplier)]),
      ...related.map((text) => reference('spec.related', PART, text)),
    ],
  };
}

type Create = Extract<SingleWrite, { action: 'create' }>;
type Update = Extract<SingleWrite, { action: 'update' }>;

export function newPart(
  uid: string,
  values: Values = {},
  { scope, ...more }: Partial<Create> & Context = {},
): Create {
  const { kind = PART } = more;
  const text = JSON.stringify(values);
  return creation(uid, { kind, text, index: indexOf(uid, values, { scope }), ...more });
}

export function changedPart(
  stored: StoredResource,
  values: Values,
  { scope, ...more }: Partial<Update> & Context = {},
): Update {
  const { kind = PART } = more;
  const text = JSON.stringify(values);
  return updateOf(stored, { kind, text, index: indexOf(stored.uid, values, { scope }), ...more });
}

export function deletedPart({ id, uid, revision }: StoredResource, kind = PART): SingleWrite {
  return { action: 'delete', kind, id, uid, revision, isIndexed: true };
}

/** The resource with this uid. */
export async function found(store: Store, uid: string, kind = PART): Promise<StoredResource> {
  const resource = await store.get(kind, uid);
  if (resource === undefined) throw new Error(`${uid} is not there`);
  return resource;
}

export async function byName(store: Store, name: string, kind = PART): Promise<string | undefined> {
  const [row] = await store.indexes!.findAll(kind, [{ index: NAME_INDEX, key: stringKey(name) }]);
  return row?.uid;
}
