import type { Deprecation, KindDefinition } from '../model/kinds/kind';
import type { CoreDefinition } from '../service/core-definition';
import type { Service } from '../service/service';

/** Stability of a version, by its name (specification, "Version model"). */
type Stability = 'stable' | 'beta' | 'alpha';

/** `GET /`: the index of the service. */
export interface ServiceIndex {
  name: string;
  links: {
    apis: string;
    openapi: string;
    health: string;
    ready: string;
    /** Links of features, such as `docs` and `events`. */
    [feature: string]: string;
  };
  kinds: KindIndex[];
}

/** A kind in the index. */
export interface KindIndex {
  group: string;
  kind: string;
  plural: string;
  /** The short URL, where the version is negotiated. */
  url: string;
  storageVersion: string;
  /** True if there are snapshots of its specs. */
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

/** The parts of a service that its index shows. */
export type Indexed = Pick<Service, 'definition' | 'parts'>;

/** Returns the response of `GET /` to programs, with the links of features. */
export function serviceIndex({ definition, parts }: Indexed, kinds: KindDefinition[]): ServiceIndex {
  const links = Object.assign({}, ...parts.map((part) => part.links)) as { [name: string]: string };
  return {
    name: definition.name,
    links: {
      apis: '/apis',
      openapi: '/openapi.json',
      health: '/healthz',
      ready: '/readyz',
      ...links,
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

/** Returns the response of `GET /apis`. */
export function apiIndex({ groups }: CoreDefinition, kinds: KindDefinition[]): ApiIndex {
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

/** Returns the stability of a version: `v1` is stable, `v2beta1` beta, `v3alpha1` alpha. */
export function stabilityOf(version: string): Stability {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable';
}
