import type { Json, JsonObject } from '../../../../templates/runtime/model/schema';
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

/** Reads the snapshots of a resource, the newest first. */
export async function readSnapshots(
  collection: Collection,
  uid: string,
  signal: AbortSignal,
): Promise<Snapshot[]> {
  const path = `${pathOf(collection, uid)}/versions`;
  return (await connection.send<Snapshot[]>({ method: 'GET', path }, { signal })).value.reverse();
}

/** Returns what a restore writes: the spec, the name, the labels and the annotations of a snapshot. */
export function draftOfSnapshot({ name, labels, annotations, spec }: Snapshot): Draft {
  return { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) }, spec };
}

/** Returns the part of a snapshot that is compared. */
export function contentOf({ name, labels, annotations, spec }: Snapshot): Json {
  return { spec, name, labels: labels ?? {}, annotations: annotations ?? {} };
}
