import { Client } from 'pg';
import type { Resource } from '../../../templates/runtime/model/resource';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';

/** All that a database holds of resources, row by row, read without the service. */
export interface Contents {
  resources: { id: number; uid: string; revision: number; text: string }[];
  /** Undefined where labels are a part of their resource's row. */
  labels: { resource: number; key: string; value: string }[] | undefined;
  snapshots: { resource: number; versionId: string; text: string }[];
  /** In their order. */
  events: { uid: string; text: string }[];
}

const RESOURCES = 'SELECT id, uid, revision, text FROM resources ORDER BY id';
const SNAPSHOTS = 'SELECT resource, version_id AS "versionId", text FROM snapshots ORDER BY version_id';
const LABELS = 'SELECT resource, key, value FROM labels';

/** Reads the database that a DATABASE_URL names. */
export function readContents(url: string): Contents | Promise<Contents> {
  return url.startsWith('sqlite:') ? readSqlite(url.slice('sqlite:'.length)) : readPostgres(url);
}

function readSqlite(path: string): Contents {
  const connection = connect(path);
  const all = <R>(sql: string): R[] => connection.prepare<R>(sql).all();
  try {
    const [{ quick_check: check }] = all<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (check !== 'ok') throw new Error(`the database is damaged: ${check}`);
    return {
      resources: all(RESOURCES),
      labels: all(LABELS),
      snapshots: all(SNAPSHOTS),
      events: all('SELECT uid, text FROM events ORDER BY position'),
    };
  } finally {
    connection.close();
  }
}

async function readPostgres(url: string): Promise<Contents> {
  const client = new Client(url);
  await client.connect();
  const all = async <R>(sql: string): Promise<R[]> => (await client.query(sql)).rows as R[];
  try {
    return {
      resources: (await all<Contents['resources'][number]>(RESOURCES)).map((row) => ({
        ...row,
        revision: Number(row.revision),
      })),
      labels: undefined,
      snapshots: await all(SNAPSHOTS),
      events: await all('SELECT uid, text FROM events ORDER BY transaction, position'),
    };
  } finally {
    await client.end();
  }
}

/**
 * Returns the half-written parts of a database, a line each: a resource, its labels, its newest snapshot and its last event are the
 * work of one write, its revision counts its events, and nothing is left of what was deleted.
 */
export function halves({ resources, labels, snapshots, events }: Contents): string[] {
  const found: string[] = [];
  const ids = new Map(resources.map(({ id }) => [id, true]));
  for (const row of [...(labels ?? []), ...snapshots])
    if (!ids.has(row.resource)) found.push(`a row of the resource ${row.resource}, which is not there`);
  const labelled = grouped(labels ?? [], ({ resource }) => resource);
  const recorded = grouped(snapshots, ({ resource }) => resource);
  const logged = grouped(events, ({ uid }) => uid);
  for (const { id, uid, revision, text } of resources) {
    const resource = JSON.parse(text) as Resource;
    const ownLabels = Object.fromEntries((labelled.get(id) ?? []).map(({ key, value }) => [key, value]));
    if (labels !== undefined && !same(ownLabels, resource.metadata.labels ?? {}))
      found.push(`${uid}: other labels`);
    if (recorded.get(id)?.at(-1)?.versionId !== resource.status?.['version'])
      found.push(`${uid}: another newest snapshot`);
    const ownEvents = logged.get(uid) ?? [];
    if (ownEvents.length !== revision) found.push(`${uid}: ${ownEvents.length} events of ${revision} writes`);
    const last = ownEvents.at(-1) && dataOf(ownEvents.at(-1)!.text);
    if (last?.action === 'deleted' || !same(last?.resource, resource))
      found.push(`${uid}: another last event`);
    logged.delete(uid);
  }
  for (const [uid, ownEvents] of logged)
    if (dataOf(ownEvents.at(-1)!.text).action !== 'deleted') found.push(`${uid}: events without a resource`);
  return found;
}

function dataOf(event: string): { action: string; resource: Resource } {
  return (JSON.parse(event) as { data: { action: string; resource: Resource } }).data;
}

/** Labels come back in the order of the index. */
function same(one: unknown, other: unknown): boolean {
  const ordered = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? Object.entries(value).toSorted() : value;
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function grouped<T, K>(rows: T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
