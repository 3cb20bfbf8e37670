import { hasEvents } from '../../events/event-log';
import type { PartLoader } from '../postgres-parts';

/** The log of events of PostgreSQL databases. */
export const postgresEvents: PartLoader = {
  async load() {
    const { beginAnew, PostgresEventLog } = await import('./event-log');
    return {
      begin: beginAnew,
      open(store) {
        const events = new PostgresEventLog(store);
        store.onCommit((batch) => hasEvents(batch) && events.committed());
        return { adds: { events }, close: () => events.close() };
      },
    };
  },
};
