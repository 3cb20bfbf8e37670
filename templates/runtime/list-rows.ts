import { setImmediate } from 'node:timers/promises';
import type { ListQuery, MaybePromise, Store, StoredResource } from './store/store';

/** How many rows are read where nothing is known of their size, how many times more the next time, and how many at most. */
const FIRST_ROWS = 8;
const GROWTH = 12;
const MOST_ROWS = 128;
/** About how much text is read and sent at once, in UTF-16 units; after as much other requests get their turn. */
export const CHUNK_LENGTH = 131_072;
/** A page that is longer, in UTF-16 units, has no further items, however many were asked for. */
export const PAGE_LENGTH = 16_777_216;

/** What one read of a list gave. */
export interface ListChunk<Cursor = number> {
  count: number;
  /** Of all their texts. */
  length: number;
  /** What `after` of the next read is; undefined when nothing follows. */
  next: Cursor | undefined;
}

/** A chunk as rows. */
interface RowChunk<Row, Cursor> extends ListChunk<Cursor> {
  rows: Row[];
}

/** How many rows are read at once. Whoever lists the same again does better to begin with what the list before it ended with. */
export class Pace {
  rows = FIRST_ROWS;

  /** Takes a chunk into account: the next one is to have about CHUNK_LENGTH. */
  learn(count: number, length: number): void {
    const fitting = Math.floor((count * CHUNK_LENGTH) / length);
    this.rows = Math.max(1, Math.min(fitting, this.rows * GROWTH, MOST_ROWS));
  }
}

/** Which part of a list is read: so many at most, after one of them. */
interface Part<Cursor> {
  after: Cursor;
  limit: number;
}

/** The resources of a list in order, in chunks that are read as they are asked for. */
export async function* listRows(
  store: Store,
  kind: string,
  query: ListQuery,
): AsyncGenerator<StoredResource[], void, void> {
  for await (const { rows } of inChunks(query, (part) => readResources(store, kind, { ...query, ...part })))
    yield rows;
}

/** One read of a list as rows. */
export function readResources(
  store: Store,
  kind: string,
  query: ListQuery,
): Promise<RowChunk<StoredResource, number>> {
  return readRows(
    query.limit,
    (limit) => store.list(kind, { ...query, limit }),
    ({ id }) => id,
  );
}

/** One read as rows. It asks for one more, which tells whether anything follows. */
export async function readRows<Row extends { text: string }, Cursor>(
  limit: number,
  read: (limit: number) => MaybePromise<Row[]>,
  cursorOf: (row: Row) => Cursor,
): Promise<RowChunk<Row, Cursor>> {
  const rows = await read(limit + 1);
  const follows = rows.length > limit;
  if (follows) rows.pop();
  const last = rows.at(-1);
  const length = rows.reduce((sum, { text }) => sum + text.length, 0);
  return { rows, count: rows.length, length, next: follows && last ? cursorOf(last) : undefined };
}

/**
 * A list in chunks, each as large as the one before it suggests, so that large resources are held in memory one by one
 * and small ones cost few reads. None is empty.
 */
export async function* inChunks<Cursor, Chunk extends ListChunk<Cursor>>(
  { after, limit }: Part<Cursor>,
  read: (part: Part<Cursor>) => MaybePromise<Chunk>,
  pace = new Pace(),
): AsyncGenerator<Chunk, void, void> {
  let left = limit;
  let sinceTurn = 0;
  for (;;) {
    const chunk = await read({ after, limit: Math.min(pace.rows, left) });
    const { count, next, length } = chunk;
    if (count > 0) {
      pace.learn(count, length);
      yield chunk;
    }
    left -= count;
    if (next === undefined || left === 0) return;
    after = next;
    sinceTurn += length;
    if (sinceTurn < CHUNK_LENGTH) continue;
    sinceTurn = 0;
    await setImmediate();
  }
}
