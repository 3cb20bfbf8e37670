import type { GroupDefinition, KindDefinition } from '../../model/kinds/kind';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const STATUS_VERBS = ['get', 'patch', 'update'];
const CATEGORIES = ['all'];

/** `GET /apis`: the groups with their versions; the preferred one is the storage version. */
export function groupList(groups: readonly GroupDefinition[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `GET /apis/<group>`. */
export function groupOf(group: GroupDefinition): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry({ name, versions, storageVersion }: GroupDefinition): object {
  const entry = (version: string): object => ({ groupVersion: `${name}/${version}`, version });
  return {
    name,
    versions: inOrder(versions, storageVersion).map(entry),
    preferredVersion: entry(storageVersion),
  };
}

function inOrder(versions: readonly string[], storageVersion: string): string[] {
  return [storageVersion, ...versions.filter((version) => version !== storageVersion)];
}

/** `GET /apis/<group>/<version>`: the kinds of a version, and their statuses. */
export function resourceList(groupVersion: string, kinds: readonly KindDefinition[]): object {
  const resources = kinds.flatMap(({ plural, kind }) => [
    {
      ...{ name: plural, singularName: kind.toLowerCase(), namespaced: false, kind },
      ...{ verbs: VERBS, shortNames: [], categories: CATEGORIES },
    },
    { name: `${plural}/status`, singularName: '', namespaced: false, kind, verbs: STATUS_VERBS },
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** The version of aggregated discovery that a client asks for. */
export type AggregatedVersion = 'v2' | 'v2beta1';

/** `GET /apis` for clients that ask for everything at once. */
export function aggregated(
  groups: readonly GroupDefinition[],
  kinds: readonly KindDefinition[],
  version: AggregatedVersion,
): object {
  const items = groups.map(({ name, versions, storageVersion }) => ({
    metadata: { name, creationTimestamp: null },
    versions: inOrder(versions, storageVersion).map((each) => ({
      version: each,
      resources: kindsIn(kinds, name, each).map((kind) => aggregatedResource(kind, each)),
      freshness: 'Current',
    })),
  }));
  return discoveryList(items, version);
}

/** Returns a list of aggregated discovery. */
export function discoveryList(items: readonly object[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items,
  };
}

function aggregatedResource({ group, kind, plural }: KindDefinition, version: string): object {
  const responseKind = { group, version, kind };
  return {
    ...{ resource: plural, responseKind, scope: 'Cluster', singularResource: kind.toLowerCase() },
    ...{ verbs: VERBS, categories: CATEGORIES },
    subresources: [{ subresource: 'status', responseKind, verbs: STATUS_VERBS }],
  };
}

/** Returns the kinds of a version. */
export function kindsIn(kinds: readonly KindDefinition[], group: string, version: string): KindDefinition[] {
  return kinds.filter((kind) => kind.group === group && kind.servedVersions.includes(version));
}
