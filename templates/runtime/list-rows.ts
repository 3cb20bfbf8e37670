import { setImmediate } from 'node:timers/promises';
import type { ListQuery, Store, StoredResource } from './store/store';

/** How many rows are read at first, how many times more the next time, and how many at most. */
const FIRST_ROWS = 20;
const GROWTH = 5;
const MOST_ROWS = 250;
/** About how much text is read at once, in UTF-16 units; after as much other requests get their turn. */
const CHUNK_LENGTH = 131_072;

/**
 * The resources of a list in order, in chunks that are read as they are asked for. A chunk is as large as the one
 * before it suggests, so that large resources are held in memory one by one and small ones cost few reads.
 */
export async function* listRows(
  store: Store,
  kind: string,
  { after, limit, selector }: ListQuery,
): AsyncGenerator<StoredResource[], void, void> {
  let left = limit;
  let asked = FIRST_ROWS;
  let sinceTurn = 0;
  for (;;) {
    asked = Math.min(asked, left);
    const rows = await store.list(kind, { after, limit: asked, selector });
    if (rows.length > 0) yield rows;
    left -= rows.length;
    if (rows.length < asked || left === 0) return;
    after = rows[rows.length - 1].id;
    const length = rows.reduce((sum, row) => sum + row.text.length, 0);
    const fitting = Math.floor((asked * CHUNK_LENGTH) / length);
    asked = Math.max(1, Math.min(fitting, asked * GROWTH, MOST_ROWS));
    sinceTurn += length;
    if (sinceTurn < CHUNK_LENGTH) continue;
    sinceTurn = 0;
    await setImmediate();
  }
}
