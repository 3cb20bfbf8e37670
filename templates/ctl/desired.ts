import { fillDefaults, normalise } from '../runtime/model/fields/normal-form';
import type { Resource } from '../runtime/model/resource';
import type { Json, JsonObject } from '../runtime/model/schema';
import type { Body } from '../runtime/model/versions/versioning-of';
import type { CtlKind } from './definition';
import { differences } from './differences';
import type { ResourceDocument } from './documents';

/** What a client asks for: the members of a resource that it may set, and any that the service may not know. */
export interface Desired {
  metadata: { [member: string]: unknown };
  spec: JsonObject;
}

/** Members of metadata that a document may have, and that the service sets. */
const SET_BY_SERVICE = ['uid', 'createdAt', 'updatedAt', 'generation', 'deletionTimestamp'];

/** Returns the client's part of a resource or a document. */
export function desiredOf(resource: Resource | ResourceDocument): Desired {
  const { metadata = {} } = resource;
  const others = Object.entries(resource).filter(([name]) => !ENVELOPE.includes(name));
  const own = Object.entries(metadata).filter(
    ([name, value]) => !SET_BY_SERVICE.includes(name) && value !== undefined && value !== null,
  );
  return { ...Object.fromEntries(others), metadata: Object.fromEntries(own), spec: resource.spec };
}

const ENVELOPE = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'expanded'];

/** Returns the client's part of a resource after a document is applied to it; `shown` is undefined for a new resource. */
export async function appliedTo(
  shown: Resource | undefined,
  document: ResourceDocument,
  kind: CtlKind,
  version: string,
): Promise<Desired> {
  const desired = desiredOf(document);
  return {
    ...desired,
    metadata: { ...(shown && desiredOf(shown).metadata), ...desired.metadata },
    spec: await asStored(document.spec, kind, version),
  };
}

/** Returns true if both ask for the same: the order of members is irrelevant, and so is an empty map or list of metadata. */
export function isSame(a: Desired, b: Desired): boolean {
  return changesOf(a, b).length === 0;
}

/** Returns a line for each field in which a resource changes; `before` is undefined for a new one. */
export function changesOf(before: Desired | undefined, after: Desired): string[] {
  return differences(before === undefined ? {} : comparable(before), comparable(after));
}

function comparable(desired: Desired): unknown {
  const own = Object.entries(desired.metadata).filter(([, value]) => !isEmptyList(value));
  const metadata = { labels: {}, annotations: {}, ...Object.fromEntries(own) };
  return sorted(JSON.parse(JSON.stringify({ ...desired, metadata })));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns a JSON value with the members of all objects sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Returns a spec as its version shows it once stored: without nulls, with the defaults of the version and of the hub. */
async function asStored(spec: JsonObject, { versions }: CtlKind, version: string): Promise<JsonObject> {
  const { schema, convert } = versions[version];
  const own = await schema();
  const complete = JSON.parse(JSON.stringify(spec)) as JsonObject;
  const shape = { schema: own.spec, types: own.types };
  normalise(shape, complete);
  fillDefaults(shape, complete);
  if (convert === undefined) return complete;
  const { converter } = await convert();
  const hub = await Object.values(versions)[0].schema();
  try {
    const stored: { hub: Body; kept?: Json } = converter.toHub({ spec: complete, status: {} }, undefined, {
      found: [],
    });
    const hubSpec = JSON.parse(JSON.stringify(stored.hub.spec)) as JsonObject;
    fillDefaults({ schema: hub.spec, types: hub.types }, hubSpec);
    return converter.fromHub({ spec: hubSpec, status: {} }, stored.kept).spec;
  } catch {
    // The service reports why it cannot be converted.
    return complete;
  }
}
