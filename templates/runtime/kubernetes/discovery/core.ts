/**
 * The part of the core API that clients ask for before anything else: one resource that nobody can use. kubectl hides
 * it, and kopf ends without it.
 */
export const CORE_VERSIONS = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
};

/** `GET /api/v1`. */
export const CORE_RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'v1',
  resources: [
    {
      name: 'namespaces',
      singularName: 'namespace',
      namespaced: false,
      kind: 'Namespace',
      verbs: [],
      shortNames: ['ns'],
    },
  ],
};

/**
 * The core group of aggregated discovery. kubectl knows the kind List of every version that it finds: manifests of several
 * objects are of `v1`.
 */
export const CORE_GROUP = {
  metadata: { name: '', creationTimestamp: null },
  versions: [{ version: 'v1', resources: [], freshness: 'Current' }],
};

/** `GET /version`: the release of Kubernetes whose API the service speaks. */
export const VERSION = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.0+svcgen',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
