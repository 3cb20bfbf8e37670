import { converting, convertingIn, type Subject } from '../conversion/lenses/unconverted';
import { own, same, set } from '../model/fields/values';
import { type KindDefinition, partShape } from '../model/kinds/kind';
import type { StoredText, Writer } from '../model/kinds/versioning';
import type { Resource } from '../model/resource';
import type { Json, JsonObject, Schema } from '../model/schema';
import { checkStoredVersion, preservedForUnknown } from '../model/versions/single-version';
import { storedResource } from '../model/versions/version-id';
import { type Body, PARTS } from '../model/versions/versioning-of';
import { isFirstStatus } from '../validation/admission';
import { exactly, transfer } from './exact-view';
import {
  convertedBy,
  preserve,
  type PreservedEntry,
  type PreservedFields,
  preservedOf,
  preservedOfSpec,
  shownBy,
  stillOrphaned,
} from './preserved-fields';
import { rePreserved } from './re-preserve';
import { migratedState } from './storage-migration';

/** A resource in the hub version, and the preserved fields of its spokes. */
export interface HubState {
  hub: Resource;
  preserved: PreservedFields;
}

/** Returns a stored resource in the hub version; one written under an earlier hub is converted. */
export function hubStateOf(kind: KindDefinition, stored: StoredText): HubState {
  const resource = storedResource(kind, stored);
  const isHub = stored.version === kind.storageVersion;
  if (isHub && stored.kept === null) return { hub: resource, preserved: {} };
  const { hub, preserved } = hubBodyOf(kind, stored, bodyOf(kind, resource), resource.metadata.uid);
  return { hub: isHub ? resource : withBody(kind, resource, kind.storageVersion, hub), preserved };
}

/** Returns the parts of a stored resource in the hub version, and its preserved fields by the present rules. */
export function hubBodyOf(
  kind: KindDefinition,
  stored: StoredText,
  body: Body,
  uid: string,
): { hub: Body; preserved: PreservedFields } {
  checkStoredVersion(kind, stored);
  const { version } = stored;
  const preserved = preservedOf(stored);
  return converting({ kind: kind.kind, version, uid }, () =>
    version === kind.storageVersion
      ? { hub: body, preserved: rePreserved(kind, body, preserved) }
      : migratedState(kind, version, body, preserved),
  );
}

/** Returns a resource as a version shows it. */
export function shownIn(kind: KindDefinition, { hub, preserved }: HubState, version: string): Resource {
  if (version === kind.storageVersion) return hub;
  const body = converting(subjectOf(kind, version, hub), () =>
    shownBy(kind, version, bodyOf(kind, hub), preserved),
  );
  return withBody(kind, hub, version, body);
}

/** Returns whether every version reads the same spec of two states of a resource with the same hub spec. */
export function readsSameSpec(kind: KindDefinition, before: HubState, after: HubState): boolean {
  const [was, is] = [preservedOfSpec(before.preserved), preservedOfSpec(after.preserved)];
  const versions = Object.keys({ ...was, ...is }).filter((version) => kind.versions[version]?.converter);
  return versions.every((version) => {
    if (JSON.stringify(was[version]) === JSON.stringify(is[version])) return true;
    const [one, other] = [before, after].map((state) => shownIn(kind, state, version).spec);
    return same(one, other);
  });
}

/** Returns the subject of a message about a failed conversion. */
function subjectOf({ kind }: KindDefinition, version: string, { metadata }: Resource): Subject {
  return { kind, version, uid: metadata.uid };
}

/**
 * Returns the preserved fields of all spokes after a write; `before` is undefined for a create. Those of the writing
 * version come from its write, those of the others are carried over.
 */
export function preservedAfter(
  kind: KindDefinition,
  before: HubState | undefined,
  after: Resource,
  writer: Writer,
): PreservedFields {
  const now = bodyOf(kind, after);
  return converting(subjectOf(kind, writer.version, after), () => {
    const preserved = before === undefined ? {} : carriedOver(kind, before, now, writer);
    if (writer.version !== kind.storageVersion) keepWritten(preserved, kind, before, now, writer);
    return preserved;
  });
}

/** Returns the preserved fields of the versions that did not write. */
function carriedOver(
  kind: KindDefinition,
  before: HubState,
  now: Body,
  writer: Pick<Writer, 'version'>,
): PreservedFields {
  const preserved: PreservedFields = {};
  const was = bodyOf(kind, before.hub);
  for (const [version, entry] of Object.entries(before.preserved)) {
    if (version === writer.version) continue;
    const converter = kind.versions[version]?.converter;
    if (converter === undefined) {
      preserved[version] = preservedForUnknown(entry, was, now) as PreservedEntry;
      continue;
    }
    convertingIn(version, () => {
      const aside = converter.carry(was, now, entry.aside);
      const left = entry.left && stillOrphaned(kind, version, converter.fromHub(now, aside), entry.left);
      const view = entry.exact && exactAfter(kind, version, { was, entry }, { now, aside, left });
      preserve(preserved, version, kind, now, { aside, left, view });
    });
  }
  return preserved;
}

/** Returns the view of a version with preserved exact fields, after another version wrote. */
function exactAfter(
  kind: KindDefinition,
  version: string,
  { was, entry }: { was: Body; entry: PreservedEntry },
  { now, aside, left }: { now: Body; aside: Json | undefined; left: Partial<Body> | undefined },
): Partial<Body> {
  const converted = convertedBy(kind, version, was, entry);
  const view = exactly(converted, entry.exact);
  const next = convertedBy(kind, version, now, { aside, left });
  const exact = transferParts(kind, version, entry.exact!, { now: next, was: converted, other: view });
  if (exact.status !== undefined && !same(was.status, now.status) && isFirstStatus(kind, was))
    return { ...exact, status: withRequired(exact.status, next.status, kind.versions[version].status) };
  return exact;
}

/** Returns a status with the required fields that it lacks because nobody had written it. */
function withRequired(status: JsonObject, written: JsonObject, { required = [] }: Schema): JsonObject {
  const all = { ...status };
  for (const name of required) if (!Object.hasOwn(all, name)) set(all, name, own(written, name));
  return all;
}

/** Applies to `other` what has changed from `was` to `now`, in the parts of `parts`. */
function transferParts(
  kind: KindDefinition,
  version: string,
  parts: object,
  { now, was, other }: { now: Body; was: Partial<Body>; other: Partial<Body> },
): Partial<Body> {
  const view: Partial<Body> = {};
  for (const part of PARTS) {
    if (!Object.hasOwn(parts, part)) continue;
    const shape = partShape(kind, version, part);
    view[part] = transfer(now[part], was[part], other[part], shape) as JsonObject;
  }
  return view;
}

/** Adds the preserved fields of the writing version. The other part of the resource stays as it is. */
function keepWritten(
  preserved: PreservedFields,
  kind: KindDefinition,
  before: HubState | undefined,
  now: Body,
  { version, part, aside, exact }: Writer,
): void {
  const other = part === 'spec' ? 'status' : 'spec';
  const entry = before?.preserved[version];
  const left = entry?.left?.[other] && { [other]: entry.left[other] };
  const converted = convertedBy(kind, version, now, { aside, left });
  const view: Partial<Body> = entry?.exact?.[other]
    ? { [other]: exactly(converted, entry.exact)[other] }
    : {};
  if (exact !== undefined) {
    const was = { [part]: exact.converted };
    const other = { [part]: exact.sent };
    const { [part]: written } = transferParts(kind, version, was, { now: converted, was, other });
    // After a change, the order of the fields is the converter's again.
    if (exact.isUnchanged || !same(written, converted[part])) view[part] = written;
  }
  preserve(preserved, version, kind, now, { aside, left, view });
}

/** Returns the parts of a resource that are converted. With history, `status.version` is the server's and is not. */
export function bodyOf({ history }: KindDefinition, { spec, status = {} }: Resource): Body {
  if (history === undefined || status['version'] === undefined) return { spec, status };
  const { version: _, ...observed } = status;
  return { spec, status: observed };
}

/** Returns a resource with other parts, in another version. */
function withBody(
  kind: KindDefinition,
  resource: Resource,
  version: string,
  { spec, status }: Body,
): Resource {
  const serverVersion = kind.history && resource.status?.['version'];
  const whole: JsonObject = serverVersion === undefined ? status : { ...status, version: serverVersion };
  return {
    apiVersion: `${kind.group}/${version}`,
    kind: resource.kind,
    metadata: resource.metadata,
    spec,
    ...(Object.keys(whole).length > 0 && { status: whole }),
  };
}
