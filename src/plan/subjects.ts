import type { Group, Kind, KindVersion } from '../model/project';
import type { Conversions } from './conversions';

/** A kind in its group. */
export interface KindSubject {
  group: Group;
  kind: Kind;
}

/** A kind in one version. */
export interface VersionSubject extends KindSubject {
  version: KindVersion;
}

/** A kind with the conversions between its versions. */
export interface ConvertedKind extends KindSubject {
  conversions: Conversions;
}

/** A version of a kind that is converted to and from the storage version. */
export interface SpokeSubject extends ConvertedKind {
  version: KindVersion;
}

/** A kind as one version reads resources that are stored in another. */
export interface ViewSubject extends SpokeSubject {
  shown: KindVersion;
}
