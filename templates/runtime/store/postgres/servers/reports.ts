import type { Logger } from 'pino';
import type { Failover, StoreOptions } from '../../database';

/** Logged when a pooler switches sessions between transactions. */
const POOLED =
  'a pooler gives each transaction another session of PostgreSQL: that is correct, but statements are not prepared, and events of other processes are looked for every EVENTS_POLL_MS';

/** Returns options of a store that log what happens to its servers. */
export function serverReports(logger: Logger): StoreOptions {
  return {
    onPooler: () => logger.warn(POOLED),
    onFailover: (failover) => reportFailover(logger, failover),
  };
}

/** Logs that another server of the database has taken over, and what is known about acknowledged writes. */
function reportFailover(logger: Logger, failover: Failover): void {
  if (failover.forgotten > 0) logger.error(failover, forgottenText(failover));
  else logger.warn(failover, failoverText(failover));
}

function forgottenText({ forgotten, remembered }: Failover): string {
  return `the database has lost acknowledged writes: of the last ${remembered} transactions of this process, the server that is the primary now does not have ${forgotten}. Use synchronous standbys to prevent it`;
}

function failoverText({ remembered }: Failover): string {
  return remembered > 0
    ? `another server of the database is the primary now; it has the last ${remembered} transactions of this process`
    : 'another server of the database is the primary now, or a backup was restored. This process cannot tell whether acknowledged writes are missing: with a synchronous standby none are, otherwise those after receivedUntil';
}
