import type { PostgresEvents } from '../event-parts';

/** Loads the log of events of PostgreSQL databases. */
export async function postgresEvents(): Promise<PostgresEvents> {
  const [{ PostgresEventLog }, { beginAnew }] = [await import('./event-log'), await import('./new-log')];
  return { begin: beginAnew, log: (parts) => new PostgresEventLog(parts) };
}
