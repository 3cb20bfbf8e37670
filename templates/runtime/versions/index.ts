import { deprecationWarner } from '../api/request/deprecation';
import { cacheShares } from '../memory/cache-shares';
import type { Versioning } from '../model/kinds/versioning';
import type { SpokeConverter } from '../model/versions/spoke-converter';
import type { Feature } from '../service/feature';
import { hubStateOf, preservedAfter, readsSameSpec, shownIn } from './hub-state';
import { preservedOfSpec } from './preserved-fields';
import { limitConversions, represent } from './representation';
import { snapshotIn } from './snapshots';
import { laterFailures, suppliedIn, writeThrough } from './spoke-writing';
import { logUnconverted } from './unconverted-log';

declare module '../model/kinds/kind' {
  interface KindVersion {
    /** Between the hub and this version; absent for the hub. */
    converter?: SpokeConverter;
    /** The other versions, as they read a resource that is stored in this one; absent for the hub. */
    views?: { [version: string]: SpokeConverter | undefined };
  }
}

/** Converts between the versions of a kind. Generated code hands it to each kind with several. */
export const versioning: Versioning = {
  ...{ hubStateOf, preservedAfter, readsSameSpec, represent, shownIn },
  ...{ preservedOfSpec, suppliedIn, snapshotIn, laterFailures, writeThrough },
  pointerIn: ({ versions }, version, pointer, documents) =>
    versions[version]?.converter?.toSpokePointer(pointer, documents) ?? pointer,
  wholesOf: ({ versions }, version, pointer) => versions[version]?.converter?.wholesOf(pointer) ?? [],
  rulesOf: ({ versions }, version) => versions[version]?.converter?.rules,
};

/** Serves kinds with several versions: what cannot be converted is logged, and responses warn of deprecated versions. */
export const versions: Feature = (definition, settings, logger) => {
  logUnconverted(logger);
  limitConversions(cacheShares(settings).versions);
  const groups = new Map(definition.groups.map((group) => [group.name, group]));
  return () => ({ adds: { onVersion: ({ group }) => deprecationWarner(groups.get(group)) } });
};
