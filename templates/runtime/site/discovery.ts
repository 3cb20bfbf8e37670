import type { KindDefinition } from '../model/kinds/kind';
import type { CoreDefinition } from '../service/core-definition';

/** `GET /`: the index of the service. */
export type ServiceIndex = ReturnType<typeof serviceIndex>;

/** A kind in the index. */
export type KindIndex = ServiceIndex['kinds'][number];

/** Returns the response of `GET /` to programs; `features` are the links of features, such as `docs`. */
export function serviceIndex(
  { name }: CoreDefinition,
  kinds: KindDefinition[],
  features: { [name: string]: string },
) {
  const links: { [name: string]: string } = {
    apis: '/apis',
    openapi: '/openapi.json',
    health: '/healthz',
    ready: '/readyz',
    ...features,
  };
  return {
    name,
    links,
    kinds: kinds.map(({ group, kind, plural, storageVersion, servedVersions, history }) => ({
      group,
      kind,
      plural,
      /** The short URL, where the version is negotiated. */
      url: `/${plural}`,
      storageVersion,
      /** True if there are snapshots of its specs. */
      history: history !== undefined,
      /** The storage version first. */
      versions: servedVersions.map((version) => ({ version, url: `/apis/${group}/${version}/${plural}` })),
    })),
  };
}

/** `GET /apis`: the groups, their versions and the kinds in each. */
export type ApiIndex = ReturnType<typeof apiIndex>;

/** Returns the response of `GET /apis`. */
export function apiIndex({ groups }: CoreDefinition, kinds: KindDefinition[]) {
  return {
    groups: groups.map(({ name, storageVersion, versions, deprecations = {} }) => ({
      name,
      storageVersion,
      versions: versions.map((version) => ({
        version,
        apiVersion: `${name}/${version}`,
        stability: stabilityOf(version),
        storage: version === storageVersion,
        /** Present where the version is deprecated. */
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

/**
 * Returns the stability of a version, by its name (requirement, "Version model"): `v1` is stable, `v2beta1` beta, `v3alpha1`
 * alpha.
 */
export function stabilityOf(version: string): 'stable' | 'beta' | 'alpha' {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'stable';
}
