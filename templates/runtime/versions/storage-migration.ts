import { tellUnconverted } from '../conversion/lenses/unconverted';
import { fillDefaults } from '../model/fields/normal-form';
import { type KindDefinition, partShape } from '../model/kinds/kind';
import type { Failures } from '../model/versions/spoke-converter';
import { type Body, PARTS } from '../model/versions/versioning-of';
import { converterOf, preserve, type PreservedFields } from './preserved-fields';
import { rePreserved } from './re-preserve';

/**
 * Converts a resource of an earlier hub to the present one. Every version reads the same as before: the new object is
 * what the present hub's version read, and fields that it cannot express are preserved for the other versions. `stored`
 * are the preserved fields as they are stored, by rules that may have changed since.
 */
export function migratedState(
  kind: KindDefinition,
  from: string,
  body: Body,
  stored: PreservedFields,
): { hub: Body; preserved: PreservedFields } {
  const { storageVersion, versions } = kind;
  const earlierKind = underHub(kind, from);
  const before = rePreserved(earlierKind, body, stored);
  const earlier: EarlierState = { kind: earlierKind, body, stored, before };
  const hub = JSON.parse(JSON.stringify(hubView(kind, earlier))) as Body;
  for (const part of PARTS) fillDefaults(partShape(kind, storageVersion, part), hub[part]);
  const preserved: PreservedFields = {};
  for (const version of new Set([...Object.keys(before), ...Object.keys(versions)])) {
    const converter = versions[version]?.converter;
    if (converter !== undefined) {
      const view = viewOf(earlier, version);
      const natural = converter.fromHub(hub, undefined);
      const whole = { ...natural, ...view };
      const put = converter.toHub(whole, { hub, kept: undefined }, { found: [] });
      // The converter itself preserves only values that mean the same as the hub's.
      const aside = converter.carry(put.hub, hub, put.kept);
      preserve(preserved, version, kind, hub, { aside, view });
    } else if (version !== storageVersion && before[version] !== undefined)
      preserved[version] = before[version];
  }
  return { hub, preserved };
}

/** A resource under the hub that it was written under. */
interface EarlierState {
  /** The kind with that hub. */
  kind: KindDefinition;
  body: Body;
  /** The preserved fields by the rules of the last write. */
  stored: PreservedFields;
  /** The preserved fields by the rules that the versions had when the hub moved. */
  before: PreservedFields;
}

/** Returns a kind as it was with an earlier hub: each version converts the way it read what is stored. */
function underHub(kind: KindDefinition, from: string): KindDefinition {
  const views = kind.versions[from]?.views;
  const versions = Object.entries(kind.versions).map(([version, { converter: _, ...fields }]) => {
    const converter = views?.[version];
    return [version, { ...fields, ...(converter && { converter }) }] as const;
  });
  return { ...kind, storageVersion: from, versions: Object.fromEntries(versions) };
}

/** Returns the parts that a version read under the earlier hub, as far as known. */
function viewOf({ kind, body, before }: EarlierState, version: string): Partial<Body> | undefined {
  if (version === kind.storageVersion) return body;
  const reader = kind.versions[version]?.converter;
  const shown = before[version]?.shown;
  return reader === undefined ? shown : { ...reader.fromHub(body, undefined), ...shown };
}

/**
 * Returns the present hub's object: what its version read. An unknown version, such as a new one, has what a version
 * with the same fields read. Where the earlier hub cannot be read through, its object is written through the present
 * rules; fields without a counterpart are absent and reported.
 */
function hubView(kind: KindDefinition, earlier: EarlierState): Body {
  const { storageVersion } = kind;
  const { body, stored, before } = earlier;
  const known = stored[storageVersion] ? before[storageVersion]?.shown : twinsView(kind, earlier);
  const reader = earlier.kind.versions[storageVersion].converter;
  if (reader !== undefined) return { ...reader.fromHub(body, undefined), ...known };
  const writer = converterOf(kind, earlier.kind.storageVersion);
  const failures: Failures = { found: [] };
  const made = writer.toHub(body, undefined, failures).hub;
  for (const { pointer, rule } of failures.found) tellUnconverted({ pointer, rule });
  return known === undefined
    ? made
    : writer.toHub(body, { hub: { ...made, ...known }, kept: undefined }, { found: [] }).hub;
}

/** Returns the view of a version with the same fields as the present hub, from before the hub's version existed. */
function twinsView(
  { versions, storageVersion }: KindDefinition,
  { stored, before }: EarlierState,
): Partial<Body> | undefined {
  const view: Partial<Body> = {};
  for (const [version, { versions: known }] of Object.entries(stored)) {
    // Where they are not recorded, the hub's version may be a new one, and nothing is lost.
    if (known?.includes(storageVersion)) continue;
    const { copies } = versions[version]?.converter ?? {};
    const shown = before[version]?.shown;
    for (const part of PARTS)
      if (copies?.[part] === true && shown?.[part] !== undefined) view[part] = shown[part];
  }
  return view;
}
