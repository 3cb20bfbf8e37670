import type { SqliteEvents } from './event-parts';
import type { SqliteIndexing } from './indexing-parts';

/** The parts of a SQLite store that a service may do without. */
export interface SqliteParts {
  indexing?: SqliteIndexing;
  events?: SqliteEvents;
}

/** The same parts as their writers, which make the changes of a batch. */
export interface PartWriters {
  entries?: SqliteIndexing['writer'];
  events?: SqliteEvents['writer'];
}

/** The modules that a writing thread loads them from. */
export type PartModules = { [part in keyof PartWriters]: string };
