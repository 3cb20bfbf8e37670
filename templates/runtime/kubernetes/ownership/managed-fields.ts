import { LONGEST_MANAGER } from '../../controllers/field-manager';
import { same } from '../../model/fields/values';
import type { KindDefinition } from '../../model/kinds/kind';
import { type HubState, type Part, type StoredText, versioningOf } from '../../model/kinds/versioning';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { type FieldOwner, hasOwners, hubTreesIn, type OwnedTree, ownersIn, storedTrees } from './field-owner';
import { listsAbove, pointersIn, treeOf } from './field-path';
import { Places } from './places';

/** Returns the owners of a stored resource as the JSON text of `metadata.managedFields` in one version; undefined for none. */
export function managedFieldsText(
  kind: KindDefinition,
  stored: StoredText,
  version: string,
): string | undefined {
  if (!hasOwners(stored)) return undefined;
  const { storageVersion } = kind;
  const isHub = version === storageVersion && stored.version === storageVersion;
  const managed = isHub
    ? managedIn(kind, version, storedTrees(stored))
    : managedFields(kind, versioningOf(kind).hubStateOf(kind, stored), version);
  return managed.length > 0 ? JSON.stringify(managed) : undefined;
}

/** Returns the owners of a resource as `metadata.managedFields` shows them in one version. */
function managedFields(kind: KindDefinition, state: HubState, version: string): JsonObject[] {
  if (version === kind.storageVersion) return managedIn(kind, version, hubTreesIn(state));
  const places = placesIn(kind, state, version);
  const owned = (ownersIn(state) ?? []).map((owner) => ({
    ...owner,
    tree: treeOf([...places[owner.part].pointersOf(owner.fields)].sort()),
  }));
  return managedIn(kind, version, owned);
}

/** Returns the places of all fields of a resource in a version, by part. */
function placesIn(kind: KindDefinition, state: HubState, version: string): { [part in Part]: Places } {
  return {
    spec: new Places(kind, state, version, 'spec'),
    status: new Places(kind, state, version, 'status'),
  };
}

function managedIn({ group }: KindDefinition, version: string, owned: readonly OwnedTree[]): JsonObject[] {
  return owned.toSorted(inOrder).flatMap(({ manager, operation, part, time, tree }) => {
    if (Object.keys(tree).length === 0) return [];
    return {
      ...{ manager, operation, apiVersion: `${group}/${version}`, time },
      ...{ fieldsType: 'FieldsV1', fieldsV1: tree },
      ...(part === 'status' && { subresource: 'status' }),
    };
  });
}

/** Managers that apply come first, then the oldest. */
function inOrder(one: OwnedTree, other: OwnedTree): number {
  const keyOf = ({ operation, time, manager, part }: OwnedTree): string =>
    [operation, time, manager, part].join(' ');
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

/**
 * Returns the owners that a client has sent as `managedFields`, none for a list that resets them. Undefined for a list without
 * a meaning, and for one that shows the present owners: what it cannot show stays as it is.
 */
export function sentOwners(
  kind: KindDefinition,
  state: HubState,
  version: string,
  sent: readonly JsonObject[],
): FieldOwner[] | undefined {
  if (sent.length === 1 && Object.keys(sent[0]).length === 0) return [];
  if (same(sent as Json, managedFields(kind, state, version))) return undefined;
  const places = placesIn(kind, state, version);
  const owners = sent.flatMap((each) => {
    const owner = readOwner(each);
    return owner === undefined ? [] : { ...owner, fields: new Set(places[owner.part].idsOf(owner.fields)) };
  });
  return owners.length > 0 ? owners : undefined;
}

/** Reads an entry of `managedFields`, with pointers as its fields; undefined for anything else. */
function readOwner({ manager, operation, time, subresource, fieldsV1 }: JsonObject): FieldOwner | undefined {
  if (typeof manager !== 'string' || !isObject(fieldsV1)) return undefined;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  const part: Part = subresource === 'status' ? 'status' : 'spec';
  return {
    ...{ manager: manager.slice(0, LONGEST_MANAGER), operation, part },
    time: typeof time === 'string' ? time.slice(0, 20) : '',
    // Elements of a list that is one field stand for the list.
    fields: new Set(pointersIn(fieldsV1).flatMap((pointer) => [pointer, ...listsAbove(pointer)])),
  };
}
