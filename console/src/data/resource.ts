import type { Call } from '../../../templates/client/connection';
import { written } from '../../../templates/client/dry-run';
import { ApiError } from '../../../templates/client/errors';
import { tagIn } from '../../../templates/client/etag';
import { warningsOf } from '../../../templates/client/warnings';
import { object } from '../../../templates/runtime/model/fields/members';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { type Collection, connection, pathOf, type Resource, type Tagged } from './api';

/** The parts of a resource that are edited together: its metadata and spec, or its status. */
export type Draft = JsonObject;

/** Options of a write. */
export interface WriteOptions {
  /** Check everything and write nothing. */
  dryRun?: boolean;
  signal?: AbortSignal;
}

/** Reads a resource, with the tag of its state. */
export async function readResource(
  collection: Collection,
  uid: string,
  signal?: AbortSignal,
): Promise<Tagged> {
  const call = { method: 'GET', path: pathOf(collection, uid) } as const;
  const { value, headers } = await connection.send<Resource>(call, { signal });
  return tagged(value, headers);
}

/**
 * Replaces what a user writes of a resource, if it is still as it was read. Members that the console does not know are
 * sent back as they came. Throws ApiError 412 if somebody else has changed it.
 */
export async function saveResource(
  collection: Collection,
  { resource, etag }: Tagged,
  draft: Draft,
  options: WriteOptions = {},
): Promise<Tagged> {
  // Labels that are absent would be left as they are.
  const metadata = { ...resource.metadata, labels: {}, annotations: {}, ...object(draft['metadata']) };
  // The service ignores a status here, but counts its bytes.
  const value = { ...resource, metadata, spec: draft['spec'], status: undefined };
  return write({ method: 'PUT', path: pathOf(collection, resource.metadata.uid) }, options, {
    headers: { 'If-Match': etag },
    body: { type: 'application/json', value },
  });
}

/** Replaces the status of a resource, if the resource is still as it was read. Throws ApiError 412 if not. */
export async function saveStatus(
  collection: Collection,
  { resource, etag }: Tagged,
  draft: Draft,
  options: WriteOptions = {},
): Promise<Tagged> {
  return write({ method: 'PUT', path: `${pathOf(collection, resource.metadata.uid)}/status` }, options, {
    headers: { 'If-Match': etag },
    body: { type: 'application/json', value: draft },
  });
}

/** Creates a resource. A repetition with the same key returns the resource that the first one has made. */
export async function createResource(
  collection: Collection,
  draft: Draft,
  { key, ...options }: WriteOptions & { key?: string } = {},
): Promise<Tagged> {
  const body = { type: 'application/json', value: draft };
  const headers = { 'Idempotency-Key': key };
  return write({ method: 'POST', path: pathOf(collection) }, options, { headers, body });
}

/**
 * Returns why the service would refuse a write for lack of permission; undefined where it would not. Nothing is
 * written.
 */
export async function refusalOf(call: Call, signal?: AbortSignal): Promise<string | undefined> {
  try {
    await connection.send({ ...call, path: written(call.path, { dryRun: true }) }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return error.problem.detail ?? error.problem.title;
  }
  return undefined;
}

/**
 * Deletes a resource, if it is still in the state with this tag. Returns false where its deletion waits for finalizers. Throws
 * ApiError 412 if it is in another state.
 */
export async function deleteResource(collection: Collection, uid: string, etag: string): Promise<boolean> {
  const call = { method: 'DELETE', path: pathOf(collection, uid), headers: { 'If-Match': etag } } as const;
  const { value } = await connection.send<Resource | { message: string }>(call);
  return !('metadata' in value);
}

/** Returns what its user writes of a resource. */
export function draftOf({ metadata, spec }: Resource): Draft {
  const { name, labels, annotations } = metadata;
  return { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) }, spec };
}

/** Returns the draft of a copy of a resource. */
export function copyOf(resource: Resource): Draft {
  const { metadata, ...others } = draftOf(resource);
  const { name, ...kept } = object(metadata);
  return { metadata: { name: `${String(name)}-copy`, ...kept }, ...others };
}

async function write(
  { method, path }: Pick<Call, 'method' | 'path'>,
  { dryRun, signal }: WriteOptions,
  rest: Partial<Call>,
): Promise<Tagged> {
  const call = { ...rest, method, path: written(path, { dryRun }) };
  const { value, headers } = await connection.send<Resource>(call, { signal });
  return tagged(value, headers);
}

function tagged(resource: Resource, headers: Headers): Tagged {
  return { resource, etag: tagIn(headers) ?? '', warnings: warningsOf(headers) };
}
