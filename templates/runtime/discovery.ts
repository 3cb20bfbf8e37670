import type { Deprecation, KindDefinition, ServiceDefinition } from './kind';

/** How stable a version is, by its name (requirement, "Version model"). */
export type Stability = 'stable' | 'beta' | 'alpha';

/** `GET /`: what the service offers. */
export interface ServiceIndex {
  name: string;
  links: {
    apis: string;
    openapi: string;
    docs: string;
    health: string;
    ready: string;
    /** Absent when the setting METRICS is false. */
    metrics?: string;
    /** Absent when events are not published. */
    events?: string;
  };
  kinds: KindIndex[];
}

/** One kind in it. */
export interface KindIndex {
  group: string;
  kind: string;
  plural: string;
  /** The short URL, where the version is negotiated. */
  url: string;
  storageVersion: string;
  /** Whether there are snapshots of its specs. */
  history: boolean;
  /** The storage version first. */
  versions: { version: string; url: string }[];
}

/** `GET /apis`: the groups, their versions and the kinds in each. */
export interface ApiIndex {
  groups: {
    name: string;
    storageVersion: string;
    versions: {
      version: string;
      /** `<group>/<version>` */
      apiVersion: string;
      stability: Stability;
      storage: boolean;
      /** Present where the version is deprecated. */
      deprecated?: Deprecation;
      openapi: string;
      kinds: { kind: string; plural: string; url: string; history: boolean }[];
    }[];
  }[];
}

/** What `GET /` answers to programs; `metrics` is whether there are any. */
export function serviceIndex(
  definition: ServiceDefinition,
  kinds: KindDefinition[],
  { metrics }: { metrics: boolean },
): ServiceIndex {
  return {
    name: definition.name,
    links: {
      apis: '/apis',
      openapi: '/openapi.json',
      docs: '/docs',
      health: '/healthz',
      ready: '/readyz',
      ...(metrics && { metrics: '/metrics' }),
      ...(definition.events && { events: '/events' }),
    },
    kinds: kinds.map(({ group, kind, plural, storageVersion, servedVersions, history }) => ({
      group,
      kind,
      plural,
      url: `/${plural}`,
      storageVersion,
      history: history !== undefined,
      versions: servedVersions.map((version) => ({ version, url: `/apis/${group}/${version}/${plural}` })),
    })),
  };
}

/** What `GET /apis` answers. */
export function apiIndex({ groups }: ServiceDefinition, kinds: KindDefinition[]): ApiIndex {
  return {
    groups: groups.map(({ name, storageVersion, versions, deprecations = {} }) => ({
      name,
      storageVersion,
      versions: versions.map((version) => ({
        version,
        apiVersion: `${name}/${version}`,
        stability: stabilityOf(version),
        storage: version === storageVersion,
        ...(Object.hasOwn(deprecations, version) && { deprecated: deprecations[version] }),
        openapi: `/apis/${name}/${version}/openapi.json`,
        kinds: kinds
          .filter(({ group, servedVersions }) => group === name && servedVersions.includes(version))
          .map(({ kind, plural, history }) => ({
            kind,
            plural,
            url: `/apis/${name}/${version}/${plural}`,
            history: history !== undefined,
          })),
      })),
    })),
  };
}

/** `v1` is stable, `v2beta1` beta, `v3alpha1` alpha. */
export function stabilityOf(version: string): Stability {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable';
}
