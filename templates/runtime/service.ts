import { ServiceEvents } from './events/service-events';
import type { ServiceDefinition } from './kind';
import { createLogger, type Logger } from './logger';
import { readSettings, type Settings } from './settings';
import { openStore } from './store/open-store';
import type { Store } from './store/store';
import { Turns } from './turns';

/** A running service: what every endpoint works with. */
export interface Service {
  definition: ServiceDefinition;
  settings: Settings;
  store: Store;
  logger: Logger;
  /** Milliseconds since 1970. */
  now(): number;
  /** Of the writes of one resource, by uid: each works on what the one before it left. */
  turns: Turns;
  /** What happens to resources, to subscribe to. */
  events: ServiceEvents;
  /** Set when a stop has begun: not ready, connections are closed after their answer. */
  draining: boolean;
  /** Ends the delivery of events, finishes the writes under way and closes the store. */
  close(): Promise<void>;
}

/**
 * Opens the store and makes all that the endpoints need; nothing listens yet.
 * Throws StoreRefused for a database that must not be used as it is.
 */
export async function openService(
  definition: ServiceDefinition,
  settings: Settings = readSettings(process.env),
): Promise<Service> {
  const logger = createLogger(definition.name, settings);
  const url = settings.DATABASE_URL || `sqlite:./data/${definition.name}.db`;
  const store = await openStore(url, { busyTimeoutMs: settings.STORE_BUSY_TIMEOUT_MS });
  const events = new ServiceEvents(definition.events, store.events, settings, logger);
  return {
    definition,
    settings,
    store,
    logger,
    now: Date.now,
    turns: new Turns(),
    events,
    draining: false,
    async close() {
      await events.close();
      await store.close();
    },
  };
}
