import { labelTokens } from '../postgres/statements/labels';
import type { Row, SqlValue } from '../sqlite/connection/driver';

/** Columns of a table of a SQLite store, to copy into the table of the same name of a PostgreSQL store. */
export interface CopiedTable {
  name: string;
  /** The rows to read, where that is not the table itself. */
  from?: string;
  /** Integer column by which the rows are read in chunks; without one all are read at once. */
  key?: string;
  /** The columns to read, with their types in PostgreSQL. */
  columns: { [column: string]: 'bigint' | 'integer' | 'text' };
  /** SQL expressions for the columns that are not written as they were read. */
  into?: { [column: string]: string };
  /** Functions for values that are not sent as they were read. */
  sent?: { [column: string]: (row: Row) => SqlValue };
  /** The column that the database numbers. */
  numbered?: string;
}

/** SQLite knows no transaction ids: copied rows come before everything, in the order of their numbers. */
const BEFORE_ALL = { transaction: "'0'::xid8" };

const STATE = { version: 'text', kept: 'text', text: 'text' } as const;

/** Every table to copy, referenced tables first. Row ids stay: they are the positions of pages. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'kinds', columns: { id: 'integer', name: 'text' }, numbered: 'id' },
  {
    name: 'versions',
    columns: { kind: 'integer', version: 'text' },
  },
  {
    name: 'resources',
    from: `(SELECT r.*, (SELECT json_group_object(l.key, l.value) FROM labels l WHERE l.resource = r.id) AS labels
      FROM resources r)`,
    key: 'id',
    columns: {
      id: 'bigint',
      kind: 'integer',
      uid: 'text',
      revision: 'bigint',
      etag: 'text',
      ...STATE,
      labels: 'text',
      position: 'text',
    },
    into: { labels: "string_to_array(labels, E'\\n')" },
    sent: { labels: tokensOf },
    numbered: 'id',
  },
  {
    name: 'snapshots',
    key: 'id',
    columns: { resource: 'bigint', version_id: 'text', ...STATE },
  },
  {
    name: 'events',
    key: 'position',
    columns: {
      position: 'bigint',
      id: 'text',
      type: 'text',
      kind: 'integer',
      uid: 'text',
      written_at: 'bigint',
      text: 'text',
      kept: 'text',
    },
    into: { ...BEFORE_ALL, written_at: 'to_timestamp(written_at)' },
    numbered: 'position',
  },
  {
    name: 'responses',
    key: 'rowid',
    columns: { key: 'text', request: 'text', expires_at: 'bigint', headers: 'text', text: 'text' },
  },
  {
    name: 'cursors',
    columns: { consumer: 'text', position: 'bigint', owner: 'text', held_until: 'bigint' },
    // The holder of a lease delivers from the other store: the first process here takes over.
    into: { ...BEFORE_ALL, held_until: 'least(to_timestamp(held_until / 1000.0), now())' },
  },
  {
    name: 'dead_letters',
    key: 'id',
    columns: {
      id: 'bigint',
      consumer: 'text',
      position: 'text',
      attempts: 'integer',
      error: 'text',
      failed_at: 'bigint',
      kind: 'text',
      text: 'text',
      kept: 'text',
    },
    into: { failed_at: 'to_timestamp(failed_at / 1000.0)' },
    sent: {
      position: ({ position }) => String(position),
      // Text of a foreign server, which may hold NUL; PostgreSQL refuses that.
      error: ({ error }) => String(error).replaceAll('\0', ''),
    },
    numbered: 'id',
  },
];

/** Returns labels in the form of PostgreSQL's index; SQLite has keys and values as they are inside a JSON string literal. */
function tokensOf({ kind, labels }: Row): string {
  const plain = (escaped: string): string => JSON.parse(`"${escaped}"`) as string;
  const entries = Object.entries(JSON.parse(String(labels)) as { [key: string]: string });
  const named = Object.fromEntries(entries.map(([key, value]) => [plain(key), plain(value)]));
  return labelTokens(Number(kind), named).join('\n');
}
