import { nextQuery } from '../../../../templates/client/listing';
import type { Json, JsonObject } from '../../../../templates/runtime/model/schema';
import { type Collection, connection, pathOf } from '../../data/api';
import type { Draft } from '../../data/resource';

/** The spec of a resource after one of its writes. */
export interface Snapshot {
  versionId: string;
  createdAt: string;
  uid: string;
  name: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  /** Absent where the caller was not known. */
  actor?: string;
  spec: JsonObject;
}

/** The newest snapshots of a resource, the newest first. */
export interface History {
  snapshots: Snapshot[];
  /** True if the resource has earlier ones. */
  hasMore: boolean;
}

/** Maximum number of snapshots in a page; large ones make shorter pages. */
const PAGE_SIZE = 100;

/** Reads the newest snapshots of a resource: two at least, and all up to one before that with the id `oldest`. */
export async function readHistory(
  collection: Collection,
  uid: string,
  oldest: string | undefined,
  signal: AbortSignal,
): Promise<History> {
  const path = `${pathOf(collection, uid)}/versions`;
  const snapshots: Snapshot[] = [];
  let next: string | undefined = `?sort=-createdAt&limit=${PAGE_SIZE}`;
  while (next !== undefined && (snapshots.length < 2 || !reaches(snapshots, oldest))) {
    const call = { method: 'GET', path: path + next } as const;
    const { value, headers } = await connection.send<Snapshot[]>(call, { signal });
    snapshots.push(...value);
    next = nextQuery(headers.get('Link') ?? '');
  }
  return { snapshots, hasMore: next !== undefined };
}

/** Returns whether the snapshot with an id, and the one before it, would be among these. */
export function reaches(snapshots: Snapshot[], id: string | undefined): boolean {
  // Ids sort by time.
  return id === undefined || snapshots.some(({ versionId }) => versionId < id);
}

/** Returns what a restore writes: the spec, the name, the labels and the annotations of a snapshot. */
export function draftOfSnapshot({ name, labels, annotations, spec }: Snapshot): Draft {
  return { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) }, spec };
}

/** Returns the part of a snapshot that is compared. */
export function contentOf({ name, labels, annotations, spec }: Snapshot): Json {
  return { spec, name, labels: labels ?? {}, annotations: annotations ?? {} };
}
