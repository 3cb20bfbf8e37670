import { nextQuery } from '../../../../templates/client/listing';
import { type Collection, connection, isSame, pathOf, type Resource } from '../../data/api';
import type { ResourceEvent } from '../../data/use-events';

/** Resources of one page of a list. */
export const PAGE_SIZE = 50;

/** The resources that a list shows. */
export interface ListQuery {
  labelSelector?: string;
  fieldSelector?: string;
  /** A field, with a minus for the descending order; absent for the order of creation. */
  sort?: string;
  /** The cursor of a page; absent for the first. */
  cursor?: string;
}

/** A line of the table. */
export interface Row {
  resource: Resource;
  /** What has happened to it since the page was read: one that has left is no longer selected. */
  mark?: 'changed' | 'new' | 'left' | 'deleted';
  /** Counts its changes: a new one is shown even if the last one was just now. */
  changes: number;
}

/** One page of a list, as it was read. */
export interface ListPage {
  rows: Row[];
  /** The cursor of the next page; absent on the last one. */
  next?: string;
  isSorted: boolean;
}

/** Reads a page. */
export async function readPage(
  collection: Collection,
  { cursor, ...selection }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const [name, value] of Object.entries(selection)) if (value) query.set(name, value);
  if (cursor) query.set('continue', cursor);
  const call = { method: 'GET', path: `${pathOf(collection)}?${query}` } as const;
  const { value, headers } = await connection.send<Resource[]>(call, { signal });
  const next = new URLSearchParams(nextQuery(headers.get('Link') ?? '')).get('continue') ?? undefined;
  return { rows: value.map((resource) => ({ resource, changes: 0 })), next, isSorted: !!selection.sort };
}

/**
 * Returns the page after an event; undefined if the event belongs to no line of it. No line moves: a deleted resource
 * keeps its line, and a new one gets a line at the end of the last page, if the list is in the order of creation.
 */
export function afterEvent(page: ListPage, { data, selection }: ResourceEvent): ListPage | undefined {
  const index = page.rows.findIndex(({ resource }) => resource.metadata.uid === data.resourceUID);
  if (index < 0) {
    const hasRoom = !page.isSorted && page.next === undefined && page.rows.length < PAGE_SIZE;
    if (data.action !== 'created' || !hasRoom) return undefined;
    return { ...page, rows: [...page.rows, { resource: data.resource, mark: 'new', changes: 0 }] };
  }
  const row = page.rows[index];
  // An event may come twice, and one may be older than the page. Several changes may have the same time.
  const isOld = data.resource.metadata.updatedAt < row.resource.metadata.updatedAt;
  if (data.action !== 'deleted' && (isOld || isSame(data.resource, row.resource))) return page;
  const mark = data.action === 'deleted' ? 'deleted' : (selection ?? 'changed');
  return {
    ...page,
    rows: page.rows.with(index, { resource: data.resource, mark, changes: row.changes + 1 }),
  };
}
