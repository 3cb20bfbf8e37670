import type { Body } from '../model/versions/spoke-converter';
import { tellUnconverted } from '../conversion/lenses/unconverted';
import { fillDefaults } from '../model/fields/normal-form';
import { converterOf, preserve, type PreservedEntry, type PreservedFields } from './preserved-fields';
import { fieldsAside } from './re-preserve';
import type { KindDefinition } from '../model/kinds/kind';
import type { Failure } from '../model/problem';

/**
 * Converts a resource of an earlier hub to the present one. Every version reads the same of the result as before: the
 * present hub's object is what that version read, and the fields of other versions that the hub cannot express are
 * preserved for them.
 */
export function migratedState(
  kind: KindDefinition,
  from: string,
  body: Body,
  before: PreservedFields,
): { hub: Body; preserved: PreservedFields } {
  const { storageVersion, versions } = kind;
  const hub = JSON.parse(JSON.stringify(hubView(kind, from, body, before))) as Body;
  const { spec, status, types } = versions[storageVersion];
  fillDefaults(spec, types, hub.spec);
  fillDefaults(status, types, hub.status);
  const preserved: PreservedFields = {};
  for (const version of new Set([...Object.keys(before), ...Object.keys(versions)])) {
    const converter = versions[version]?.converter;
    if (converter !== undefined) {
      const view = version === from ? body : viewOf(kind, from, body, before, version);
      const natural = converter.fromHub(hub, undefined);
      const whole = { ...natural, ...view };
      const put = converter.toHub(whole, { hub, kept: undefined }, []);
      // The converter itself preserves only values that mean the same as the hub's.
      const aside = converter.carry(put.hub, hub, put.kept);
      preserve(preserved, version, kind, hub, { aside, view });
    } else if (version !== storageVersion && before[version] !== undefined)
      preserved[version] = before[version];
  }
  return { hub, preserved };
}

/** Returns the parts that a version read under the earlier hub, as far as known. */
function viewOf(
  kind: KindDefinition,
  from: string,
  body: Body,
  before: PreservedFields,
  version: string,
): Partial<Body> | undefined {
  const reader = kind.versions[from]?.views?.[version];
  return reader === undefined
    ? before[version]?.shown
    : withKnown(kind, version, reader.fromHub(body, undefined), before[version]);
}

/**
 * Returns the reading of a version with what is known of it. After a write by a process that did not know the version,
 * the reading counts, and the preserved fields only where it has none.
 */
function withKnown(
  kind: KindDefinition,
  version: string,
  reading: Body,
  entry: PreservedEntry | undefined,
): Body {
  if (!entry?.isOutdated) return { ...reading, ...entry?.shown };
  const aside = fieldsAside(entry, kind.versions[version]);
  return { spec: { ...aside.spec, ...reading.spec }, status: { ...aside.status, ...reading.status } };
}

/**
 * Returns the present hub's object: what its version read. An unknown version, such as a new one, has what a version
 * with the same fields read. Where the earlier hub cannot be read through, its object is written through the present
 * rules; fields without a counterpart are absent and reported.
 */
function hubView(kind: KindDefinition, from: string, body: Body, before: PreservedFields): Body {
  const { storageVersion, versions } = kind;
  const known = before[storageVersion]?.shown ?? twinsView(kind, before);
  const reader = versions[from]?.views?.[storageVersion];
  if (reader !== undefined) {
    const reading = reader.fromHub(body, undefined);
    if (before[storageVersion] !== undefined)
      return withKnown(kind, storageVersion, reading, before[storageVersion]);
    return { ...reading, ...known };
  }
  const earlier = converterOf(kind, from);
  const failures: Failure[] = [];
  const made = earlier.toHub(body, undefined, failures).hub;
  for (const { pointer, rule } of failures) tellUnconverted({ pointer, rule });
  return known === undefined
    ? made
    : earlier.toHub(body, { hub: { ...made, ...known }, kept: undefined }, []).hub;
}

/** Returns the view of a version with the same fields as the present hub, from before the hub's version existed. */
function twinsView(
  { versions, storageVersion }: KindDefinition,
  before: PreservedFields,
): Partial<Body> | undefined {
  const view: Partial<Body> = {};
  for (const [version, { shown, versions: known }] of Object.entries(before)) {
    if (known === undefined || known.includes(storageVersion)) continue;
    const { copies } = versions[version]?.converter ?? {};
    for (const part of ['spec', 'status'] as const)
      if (copies?.[part] === true && shown[part] !== undefined) view[part] = shown[part];
  }
  return view;
}
