import { fillDefaults, normalise } from '../runtime/model/fields/normal-form';
import type { Resource } from '../runtime/model/resource';
import type { JsonObject } from '../runtime/model/schema';
import type { CtlKind } from './definition';
import { differences } from './differences';
import type { ResourceDocument } from './documents';

/** The part of a resource that belongs to clients. */
export type Desired = Pick<ResourceDocument, 'metadata' | 'spec'>;

/** Returns the client's part of a stored resource. */
export function desiredOf({ metadata: { name, labels, annotations }, spec }: Resource): Desired {
  return { metadata: { name, labels, annotations }, spec };
}

/** Returns the client's part of a resource after a document is applied to it; `shown` is undefined for a new resource. */
export async function appliedTo(
  shown: Resource | undefined,
  { metadata, spec }: ResourceDocument,
  kind: CtlKind,
  version: string,
): Promise<Desired> {
  const before = shown?.metadata;
  return {
    metadata: {
      name: metadata?.name ?? before?.name,
      labels: metadata?.labels ?? before?.labels,
      annotations: metadata?.annotations ?? before?.annotations,
    },
    spec: await asStored(spec, kind, version),
  };
}

/** Returns true if both ask for the same: the order of members is irrelevant, and so is an empty map of labels. */
export function isSame(a: Desired, b: Desired): boolean {
  return changesOf(a, b).length === 0;
}

/** Returns a line for each field in which a resource changes; `before` is undefined for a new one. */
export function changesOf(before: Desired | undefined, after: Desired): string[] {
  return differences(before === undefined ? {} : comparable(before), comparable(after));
}

function comparable({ metadata: { name, labels, annotations } = {}, spec }: Desired): unknown {
  const metadata = { name, labels: labels ?? {}, annotations: annotations ?? {} };
  return sorted(JSON.parse(JSON.stringify({ metadata, spec })));
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
  normalise(own.spec, own.types, complete);
  fillDefaults(own.spec, own.types, complete);
  if (convert === undefined) return complete;
  const { converter } = await convert();
  const hub = await Object.values(versions)[0].schema();
  try {
    const stored = converter.toHub({ spec: complete, status: {} }, undefined, []);
    const hubSpec = JSON.parse(JSON.stringify(stored.hub.spec)) as JsonObject;
    fillDefaults(hub.spec, hub.types, hubSpec);
    return converter.fromHub({ spec: hubSpec, status: {} }, stored.kept).spec;
  } catch {
    // The service reports why it cannot be converted.
    return complete;
  }
}
