import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LARGE, turnOfLarge } from '../../concurrency/large-work';
import type { Listed, ListQuery, MaybePromise, Sort, Store, StoredResource } from '../../store/store';
import { lengthOf } from '../../store/stored-resource';
import type { ListMemory } from './list-memory';
import type { ListPosition } from './list-selection';

/** Number of rows to read while their size is unknown, factor of growth for the next read, and maximum. */
const FIRST_ROWS = 8;
const GROWTH = 12;
const MOST_ROWS = 128;
/**
 * Approximate length of text that is read and sent at once, in UTF-16 units. Other requests get their turn after it.
 */
export const CHUNK_LENGTH = 131_072;
/** Maximum length of texts that are read together, in bytes; a longer one is read alone. */
export const TOGETHER = 16_384;
/** Maximum length of a page, in bytes: a page that reaches it ends there, however many items were asked for. */
export const PAGE_LENGTH = 16_777_216;

/** The result of one read of a list. */
export interface ListChunk<Cursor = ListPosition> {
  count: number;
  /** Total length of the texts. */
  length: number;
  /** The position of the next read; undefined when nothing follows. */
  next: Cursor | undefined;
}

/** A chunk as rows. */
export interface RowChunk<Row = StoredResource, Cursor = ListPosition> extends ListChunk<Cursor> {
  rows: Row[];
}

/**
 * The number of rows to read at once. A caller that lists the same collection again should reuse the pace of the list
 * before.
 */
export class Pace {
  rows = FIRST_ROWS;

  /** Learns the size of a chunk, so that the next one has about CHUNK_LENGTH. */
  learn(count: number, length: number): void {
    const fitting = Math.floor((count * CHUNK_LENGTH) / length);
    this.rows = Math.max(1, Math.min(fitting, this.rows * GROWTH, MOST_ROWS));
  }
}

/** The texts of a row. */
type Texts = Pick<StoredResource, 'text' | 'kept'>;

/** A part of a list: at most `limit` items behind a cursor. */
interface Part<Cursor> {
  from: Cursor;
  limit: number;
}

/** Yields the resources of a list in order, in chunks that are read on demand. */
export async function* listRows(
  store: Store,
  kind: string,
  { limit, ...query }: ListQuery,
): AsyncGenerator<StoredResource[], void, void> {
  const read = ({ from, limit: most }: Part<ListPosition>) =>
    readResources(store, kind, { ...query, ...from, limit: most });
  for await (const { rows } of inChunks({ from: positionOf(query), limit }, read)) yield rows;
}

/** Returns the position where a query starts. */
export function positionOf({ after, afterKey }: ListPosition): ListPosition {
  return { after, afterKey };
}

/** Reads one chunk of a list as rows, up to a position where one is given. */
export async function readResources(
  store: Store,
  kind: string,
  query: ListQuery,
  memory?: ListMemory,
  until?: ListPosition,
): Promise<RowChunk> {
  const chunk = await readRows(
    query.limit,
    (limit, maxText) => store.list(kind, { ...query, limit, maxText }),
    placeOf,
    memory,
  );
  const end = until === undefined ? -1 : chunk.rows.findIndex((row) => isBeyond(row, until, query.sort));
  if (end < 0) return chunk;
  const rows = chunk.rows.slice(0, end);
  return { rows, count: end, length: lengthOfAll(rows), next: undefined };
}

/** Returns the position after a row. */
export function placeOf({ id, sortKey }: Listed<StoredResource>): ListPosition {
  return { after: id, ...(sortKey !== undefined && { afterKey: sortKey }) };
}

/** Returns whether a row comes after a position in a list of this order. */
function isBeyond(
  { id, sortKey }: Listed<StoredResource>,
  { after, afterKey }: ListPosition,
  { index, descending = false, newestFirst = false }: Sort = {},
): boolean {
  if (index !== undefined && sortKey !== afterKey) return sortKey! > afterKey! !== descending;
  const isReversed = index === undefined ? descending : newestFirst;
  return isReversed ? id < after : id > after;
}

/**
 * Reads one chunk: several small rows, or one large row for which memory is reserved first. It asks for one row more,
 * which shows whether anything follows.
 */
export async function readRows<Row extends Texts, Cursor>(
  limit: number,
  read: (limit: number, maxText?: number) => MaybePromise<Listed<Row>[]>,
  cursorOf: (row: Row) => Cursor,
  memory?: ListMemory,
): Promise<RowChunk<Row, Cursor>> {
  await memory?.reserve(2 * CHUNK_LENGTH);
  const found = await read(limit + 1, TOGETHER);
  const large = found.findIndex(({ omitted }) => omitted !== undefined);
  const taken = found.slice(0, large < 0 ? limit : Math.min(limit, Math.max(large, 1)));
  const follows = taken.length < found.length;
  if (large !== 0) {
    const next = follows ? cursorOf(taken.at(-1)!) : undefined;
    return { rows: taken, count: taken.length, length: lengthOfAll(taken), next };
  }
  await memory?.reserve(LARGE_COPIES * taken[0].omitted!);
  await turnOfLarge();
  const rows = await read(1);
  // Another row may have taken its place: it comes before the large one, or after it where that is gone.
  const isSame = rows.length > 0 && isDeepStrictEqual(cursorOf(rows[0]), cursorOf(taken[0]));
  const next = follows || !isSame ? cursorOf(rows[0] ?? taken[0]) : undefined;
  return { rows, count: rows.length, length: lengthOfAll(rows), next };
}

/**
 * Returns the first rows of all chunks, at most `limit`, and whether others follow. Their texts end with the one that reaches
 * CHUNK_LENGTH; `memory` covers them while the next chunk is read.
 */
export async function firstOf<Row extends Texts>(
  chunks: AsyncIterable<{ rows: Row[] }>,
  limit: number,
  memory: ListMemory,
): Promise<{ rows: Row[]; follows: boolean }> {
  const rows: Row[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (const row of chunk.rows) {
      if (rows.length === limit || length >= CHUNK_LENGTH) return { rows, follows: true };
      rows.push(row);
      length += lengthOf(row);
    }
    memory.needed = length;
  }
  return { rows, follows: false };
}

function lengthOfAll(rows: readonly Texts[]): number {
  return rows.reduce((sum, row) => sum + lengthOf(row), 0);
}

/** Copies of a large text in memory: as it was read, in the text of its chunk, and as bytes to send. */
export const LARGE_COPIES = 3;

/** The end of a page. */
interface PageEnd {
  /** The position of its last resource. */
  last: ListPosition;
  follows: boolean;
}

/** Number of rows to look at in one step. */
const STEP = 1_000;

/**
 * Finds the end of a page without reading its texts. The page has `query.limit` resources more, or ends early with the
 * resource that exceeds PAGE_LENGTH, of which `length` bytes are used already.
 */
export async function pageEnd(
  store: Store,
  kind: string,
  query: ListQuery,
  length: number,
): Promise<PageEnd | undefined> {
  let left = query.limit;
  let position = positionOf(query);
  let end: PageEnd | undefined;
  while (left > 0 && length <= PAGE_LENGTH) {
    const asked = Math.min(left, STEP);
    const rows = await store.list(kind, { ...query, ...position, limit: asked + 1, maxText: 0 });
    for (const [index, row] of rows.slice(0, asked).entries()) {
      length += row.omitted ?? 0;
      end = { last: placeOf(row), follows: index + 1 < rows.length };
      if (length > PAGE_LENGTH) break;
    }
    if (end === undefined || !end.follows) break;
    position = end.last;
    left -= asked;
    await setImmediate();
  }
  return end;
}

/**
 * Yields a list in non-empty chunks, each sized by the one before it. Large resources are held in memory one by one,
 * and small ones cost few reads.
 */
export async function* inChunks<Cursor, Chunk extends ListChunk<Cursor>>(
  { from, limit }: Part<Cursor>,
  read: (part: Part<Cursor>) => MaybePromise<Chunk>,
  pace = new Pace(),
): AsyncGenerator<Chunk, void, void> {
  let position = from;
  let left = limit;
  let sinceTurn = 0;
  while (left > 0) {
    const chunk = await read({ from: position, limit: Math.min(pace.rows, left) });
    const { count, next, length } = chunk;
    if (count > 0) {
      pace.learn(count, length);
      yield chunk;
    }
    left -= count;
    if (next === undefined || left === 0) return;
    position = next;
    sinceTurn += length;
    if (sinceTurn < CHUNK_LENGTH) continue;
    sinceTurn = 0;
    if (length < LARGE) await setImmediate();
    else await turnOfLarge();
  }
}
