import type { CoreDefinition } from '../service/core-definition';
import { openKnownStore } from '../service/known-store';
import { createLogger, noticesTo } from '../service/logger';
import type { Settings } from '../settings/settings';
import { Supervisor } from './supervisor';

const SLOWER = 'several workers are safe on SQLite, but not faster: set WORKERS to 1, or use PostgreSQL';

/**
 * Starts the workers of a service, after an inspection of the database: its schema is migrated once, and an unusable
 * database is refused once. Throws the errors of opening a store, and an Error for a database that workers cannot
 * share.
 */
export async function supervise(definition: CoreDefinition, settings: Settings): Promise<void> {
  const { DATABASE_URL, WORKERS } = settings;
  if (DATABASE_URL === 'sqlite::memory:') {
    throw new Error(
      `WORKERS=${WORKERS} needs a database that they share; sqlite::memory: exists within one process only`,
    );
  }
  const logger = createLogger(definition.name, settings);
  await (await openKnownStore(definition, settings, { onNotice: noticesTo(logger) })).close();
  if (!/^postgres(ql)?:/.test(DATABASE_URL)) logger.warn({ workers: WORKERS }, SLOWER);
  new Supervisor(settings, logger).start();
}
