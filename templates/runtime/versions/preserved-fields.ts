import { object, unlessEmpty } from '../model/fields/members';
import { set } from '../model/fields/values';
import { type KindDefinition, partShape } from '../model/kinds/kind';
import type { Json, JsonObject } from '../model/schema';
import type { SpokeConverter } from '../model/versions/spoke-converter';
import { type Body, PARTS } from '../model/versions/versioning-of';
import { type Exact, exactly, exactOf } from './exact-view';
import { orphanedOf, withOrphaned } from './orphaned-fields';

/** The preserved fields of one spoke of a resource. */
export interface PreservedEntry {
  /** In the form of the spoke's converter, which is meaningless to a service with another hub or other rules. */
  aside?: Json;
  /** Orphaned fields, as they were shown: preserved by earlier converters, and without a place in the present one. */
  left?: Partial<Body>;
  /** The version's view of the resource under an earlier hub, where its converter reads it differently. */
  exact?: Exact;
  /** The parts of the resource that these add to, as the spoke shows them: the view of such a service. */
  shown: Partial<Body>;
  /** Digest of the rules of the converter that preserved them. */
  rules?: string;
  /** Set by a write of a process that did not know the version: the hub may have changed since. */
  isOutdated?: true;
  /** The versions at that time; absent in rows of builds from before 23 November 2026. */
  versions?: string[];
}

/** The preserved fields of one resource, by version. */
export interface PreservedFields {
  [version: string]: PreservedEntry;
}

/** Returns the converter of a spoke. */
export function converterOf(kind: KindDefinition, version: string): SpokeConverter {
  const converter = kind.versions[version]?.converter;
  if (converter === undefined) throw new Error(`${kind.kind} has no conversion of version ${version}`);
  return converter;
}

/** Returns the view of a version on an object of the hub. */
export function shownBy(kind: KindDefinition, version: string, hub: Body, preserved: PreservedFields): Body {
  const entry = preserved[version];
  return exactly(convertedBy(kind, version, hub, entry), entry?.exact);
}

/** Returns the view of a version without the exact parts that are preserved for it. */
export function convertedBy(
  kind: KindDefinition,
  version: string,
  hub: Body,
  entry: Pick<PreservedEntry, 'aside' | 'left'> | undefined,
): Body {
  const shown = converterOf(kind, version).fromHub(hub, entry?.aside);
  const left = entry?.left;
  if (left === undefined) return shown;
  const whole = { ...shown };
  for (const part of PARTS)
    whole[part] = withOrphaned(shown[part], left[part], partShape(kind, version, part)) as JsonObject;
  return whole;
}

/** Returns the part of `left` that a version does not show by itself; undefined where there is none. */
export function stillOrphaned(
  kind: KindDefinition,
  version: string,
  shown: Body,
  left: Partial<Body> | undefined,
): Partial<Body> | undefined {
  if (left === undefined) return undefined;
  const still: { [part: string]: JsonObject } = {};
  for (const part of PARTS)
    set(still, part, orphanedOf(shown[part], left[part], partShape(kind, version, part)));
  return unlessEmpty(still);
}

/** Returns the preserved fields of a spoke, so that it reads `view`; undefined where there are none. */
export function entryOf(
  kind: KindDefinition,
  version: string,
  hub: Body,
  { aside, left, view }: Preserved,
): PreservedEntry | undefined {
  const shown: Partial<Body> = convertedBy(kind, version, hub, { aside, left });
  const exact = view && exactOf(view, shown as Body);
  if (aside === undefined && left === undefined && exact === undefined) return undefined;
  for (const part of PARTS) {
    if (exact?.[part] !== undefined) shown[part] = view![part];
    else if (!Object.hasOwn((aside ?? {}) as JsonObject, part) && left?.[part] === undefined)
      delete shown[part];
  }
  const { rules } = converterOf(kind, version);
  return {
    ...(aside !== undefined && { aside }),
    ...(left !== undefined && { left }),
    ...(exact !== undefined && { exact }),
    shown,
    rules,
    versions: Object.keys(kind.versions),
  };
}

/** The preserved data of a version. */
interface Preserved extends Pick<PreservedEntry, 'aside' | 'left'> {
  /** The parts that the version must read exactly like this. */
  view?: Partial<Body>;
}

/** Adds the preserved fields of a spoke, where there are any. */
export function preserve(
  all: PreservedFields,
  version: string,
  kind: KindDefinition,
  hub: Body,
  preserved: Preserved,
): void {
  const entry = entryOf(kind, version, hub, preserved);
  if (entry !== undefined) all[version] = entry;
}

/** Returns the preserved fields of a stored row. */
export function preservedOf({ kept }: { kept: string | null }): PreservedFields {
  return kept === null ? {} : (JSON.parse(kept) as PreservedFields);
}

/** Returns the preserved fields of the spec alone, for a snapshot. */
export function preservedOfSpec(preserved: PreservedFields): PreservedFields {
  const entries = Object.entries(preserved).flatMap(([version, { aside, left, exact, shown, ...rest }]) => {
    const { spec } = object(aside);
    if (spec === undefined && left?.spec === undefined && exact?.spec === undefined) return [];
    const parts = {
      ...(spec !== undefined && { aside: { spec } }),
      ...(left?.spec && { left: { spec: left.spec } }),
      ...(exact?.spec && { exact: { spec: exact.spec } }),
    };
    return [[version, { ...parts, shown: { spec: shown.spec }, ...rest }] as const];
  });
  return Object.fromEntries(entries);
}
