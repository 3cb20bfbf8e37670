import type { OutgoingHttpHeaders } from 'node:http';
import { type Pieces, sendArray } from '../api/reads/json-array';
import { ListMemory } from '../api/reads/list-memory';
import { firstOf, inChunks, readRows, type RowChunk } from '../api/reads/list-rows';
import { linkNext } from '../api/reads/listing';
import { scopeOf } from '../api/request/label-scope';
import type { RequestContext } from '../api/request/request-context';
import { notACursor, pageLimit, parseQuery, single } from '../http/request/query';
import { collectionOf } from '../model/kinds/kind';
import { HttpProblem } from '../model/problem';
import { isVersionId } from '../model/versions/version-id';
import type { Service } from '../service/service';
import type { SnapshotPage } from '../store/history/snapshots';
import type { StoredSnapshot } from '../store/store';
import { isSnapshotInScope, representSnapshot } from './shown-snapshot';

/** The snapshots that a request asks for. */
interface SnapshotQuery extends Pick<SnapshotPage, 'after' | 'newestFirst'> {
  /** Number of snapshots of a page; undefined for all. */
  limit: number | undefined;
}

/** A resource whose snapshots are listed, and how. */
interface SnapshotList {
  service: Service;
  context: RequestContext;
  uid: string;
  version: string;
}

/**
 * Reads the query of a list of snapshots: `limit`, capped at `most`, `continue`, the id of the last snapshot before the
 * page, and `sort`. Throws HttpProblem 400 for an invalid value.
 */
export function snapshotQuery(text: string, most: number): SnapshotQuery {
  const query = parseQuery(text);
  const [after = '', sort = 'createdAt'] = [single(query, 'continue'), single(query, 'sort')];
  if (query.has('continue') && !isVersionId(after)) throw notACursor();
  if (sort !== 'createdAt' && sort !== '-createdAt')
    throw new HttpProblem(400, 'The query parameter "sort" must be createdAt or -createdAt.');
  return { limit: pageLimit(query, most), after, newestFirst: sort === '-createdAt' };
}

/**
 * Sends snapshots within the scope of the request, all as they are read, or one page with the URL of the next one in `Link`
 * (RFC 8288).
 */
export async function sendSnapshots(
  list: SnapshotList,
  { limit, ...start }: SnapshotQuery,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const { service, context } = list;
  const memory = new ListMemory(service, context.res);
  try {
    const chunks = chunksOf(list, start, memory);
    if (limit === undefined) {
      await sendArray(context, textsOf(list, chunks), headers, memory);
      return;
    }
    const { rows, follows } = await firstOf(chunks, limit, memory);
    if (follows) linkNext(context, rows.at(-1)!.versionId);
    await sendArray(context, textsOf(list, [{ rows }]), headers, memory);
  } finally {
    memory.release();
  }
}

/** Yields the snapshots within the scope of the request in chunks like those of a list. */
async function* chunksOf(
  { service: { store }, context: { kind, req }, uid }: SnapshotList,
  { after, newestFirst }: Omit<SnapshotQuery, 'limit'>,
  memory: ListMemory,
): AsyncGenerator<Pick<RowChunk<StoredSnapshot>, 'rows'>, void, void> {
  const read = ({ from, limit: most }: { from: string; limit: number }) =>
    readRows(
      most,
      (limit, maxText) =>
        store.snapshots!.list(collectionOf(kind), uid, { after: from, newestFirst, limit, maxText }),
      ({ versionId }) => versionId,
      memory,
    );
  for await (const { rows } of inChunks({ from: after, limit: Infinity }, read))
    yield { rows: rows.filter((row) => isSnapshotInScope(row, scopeOf(req))) };
}

async function* textsOf(
  { context: { kind }, version }: SnapshotList,
  chunks: AsyncIterable<{ rows: StoredSnapshot[] }> | Iterable<{ rows: StoredSnapshot[] }>,
): Pieces {
  for await (const { rows } of chunks)
    yield { joined: rows.map((row) => representSnapshot(kind, row, version)).join(',') };
}
