import type { Json, JsonObject } from '../../../../templates/runtime/model/schema';
import { nextQuery } from '../../../../templates/client/listing';
import { connection, pathOf, type Collection } from '../../data/api';
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

/**
 * Reads the newest snapshots of a resource: a number of pages, and more where those with `ids`, and the one before each, come
 * later.
 */
export async function readHistory(
  collection: Collection,
  uid: string,
  { pages, ids }: { pages: number; ids: string[] },
  signal: AbortSignal,
): Promise<History> {
  const path = `${pathOf(collection, uid)}/versions`;
  const snapshots: Snapshot[] = [];
  let next: string | undefined = `?sort=-createdAt&limit=${PAGE_SIZE}`;
  // Ids sort by time.
  const isComplete = (): boolean =>
    snapshots.length > 1 && ids.every((id) => id > snapshots.at(-1)!.versionId);
  for (let read = 0; next !== undefined && (read < pages || !isComplete()); read++) {
    const call = { method: 'GET', path: path + next } as const;
    const { value, headers } = await connection.send<Snapshot[]>(call, { signal });
    snapshots.push(...value);
    next = nextQuery(headers.get('Link') ?? '');
  }
  return { snapshots, hasMore: next !== undefined };
}

/** Returns what a restore writes: the spec, the name, the labels and the annotations of a snapshot. */
export function draftOfSnapshot({ name, labels, annotations, spec }: Snapshot): Draft {
  return { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) }, spec };
}

/** Returns the part of a snapshot that is compared. */
export function contentOf({ name, labels, annotations, spec }: Snapshot): Json {
  return { spec, name, labels: labels ?? {}, annotations: annotations ?? {} };
}
