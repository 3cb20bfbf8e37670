import type { Client } from 'pg';
import { NOBODY } from '../event-log';
import type { PostgresEvents } from './event-parts';
import type { PostgresIndexing } from './indexing-parts';

/** The parts of a PostgreSQL store that a service may do without. */
export interface PostgresParts {
  indexing?: PostgresIndexing;
  events?: PostgresEvents;
}

/** The same parts, loaded when they are needed: a service on SQLite does without them. */
export type PartLoaders = { [part in keyof PostgresParts]: () => Promise<PostgresParts[part]> };

/** A service without indexes writes resources and not their entries: those count as outdated from then on. */
const INVALIDATE_INDEXES = "UPDATE index_states SET digest = '' WHERE digest <> ''";

/** A service without events writes resources and no events: the log counts as incomplete from then on. */
const INVALIDATE_LOG = `INSERT INTO cursors (consumer, transaction, position, owner, held_until)
  VALUES ($1, '0', 0, '', '-infinity') ON CONFLICT DO NOTHING`;

/** Prepares a database for the parts of a service; what the other parts keep counts as outdated. */
export async function prepareParts(client: Client, { indexing, events }: PostgresParts): Promise<void> {
  if (indexing === undefined) await invalidateIndexes(client);
  if (events === undefined) await client.query(INVALIDATE_LOG, [NOBODY]);
  else await events.begin(client);
}

/** Makes all entries of indexes count as outdated. */
export async function invalidateIndexes(client: Client): Promise<void> {
  await client.query(INVALIDATE_INDEXES);
}
