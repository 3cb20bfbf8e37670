import { ServiceEvents } from './events/service-events';
import type { ServiceDefinition } from './kind';
import { refuseUnknownVersions } from './known-versions';
import { createLogger, logUnconverted, type Logger } from './logger';
import { Metrics } from './metrics/metrics';
import { readSettings, type Settings } from './settings';
import { inspectStore, openStore, type StoreOptions } from './store/open-store';
import type { Store } from './store/store';
import type { StoredVersions } from './store/stored-versions';
import { Turns } from './turns';
import { workerNumber } from './workers/worker';

/** Logged at start when another process has the SQLite file open. */
export const SHARED_FILE =
  'another process has the SQLite file open too: that is correct, but does not pay. For several processes use PostgreSQL';

/** A running service: what every endpoint works with. */
export interface Service {
  definition: ServiceDefinition;
  settings: Settings;
  store: Store;
  logger: Logger;
  /** Undefined when the setting METRICS is false. */
  metrics: Metrics | undefined;
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
 * Throws StoreRefused for a database that must not be used as it is, and an Error for webhooks that are not well configured.
 */
export async function openService(
  definition: ServiceDefinition,
  settings: Settings = readSettings(process.env),
): Promise<Service> {
  const logger = createLogger(definition.name, settings);
  logUnconverted(logger);
  const startSinks = definition.events
    ? (await import('./events/sinks')).configureSinks(definition, settings, logger)
    : undefined;
  const metrics = settings.METRICS ? new Metrics() : undefined;
  const store = await openKnownStore(definition, settings, {
    onCommit: (writes, ms) => metrics?.committed(writes, ms / 1_000),
    // Workers know of one another; the process that supervises them has looked.
    ...(workerNumber() === undefined && { onShared: () => logger.warn(SHARED_FILE) }),
  });
  const events = new ServiceEvents(definition, store.events, settings, logger);
  startSinks?.(events);
  return {
    definition,
    settings,
    store,
    logger,
    metrics,
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

/**
 * Opens the store of a service. Throws StoreRefused for a database that must not be used as it is, such as one with
 * versions that the service does not know, and StoreUnavailable.
 */
export async function openKnownStore(
  definition: ServiceDefinition,
  settings: Settings,
  options: StoreOptions = {},
): Promise<Store> {
  const store = await openStore(databaseUrl(definition, settings), { ...storeOptions(settings), ...options });
  try {
    await refuseUnknownVersions(definition, store.versions);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * What a start of the service would find in its database, in a sentence; `svcgen doctor` asks. Nothing is changed. Throws
 * what `openKnownStore` throws, as far as it shows without writing.
 */
export function inspectDatabase(definition: ServiceDefinition, settings: Settings): Promise<string> {
  const check = (versions: StoredVersions): Promise<void> => refuseUnknownVersions(definition, versions);
  return inspectStore(databaseUrl(definition, settings), check, storeOptions(settings));
}

function databaseUrl({ name }: ServiceDefinition, { DATABASE_URL }: Settings): string {
  return DATABASE_URL || `sqlite:./data/${name}.db`;
}

function storeOptions({ STORE_BUSY_TIMEOUT_MS }: Settings): StoreOptions {
  return { busyTimeoutMs: STORE_BUSY_TIMEOUT_MS };
}
