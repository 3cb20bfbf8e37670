import { cacheShares } from '../memory/cache-shares';
import { writeQueueBytes } from '../memory/memory-budget';
import type { Settings } from '../settings/settings';
import { databaseOf, type StoreOptions, type StoreSettings } from '../store/database';
import { type Store, StoreRefused } from '../store/store';
import type { StoredVersion, StoredVersions } from '../store/stored-versions';
import type { CoreDefinition } from './core-definition';

/**
 * Opens the store of a service. Throws StoreUnavailable, and StoreRefused for an unusable database, such as one with
 * versions that the service does not know. It stays as it is then: processes of another release go on.
 */
export async function openKnownStore(
  definition: CoreDefinition,
  settings: Settings,
  options: StoreOptions,
): Promise<Store> {
  const url = databaseUrl(definition, settings);
  return databaseOf(definition.databases, url).open(url, {
    ...storeSettings(settings),
    ...options,
    checkVersions: (versions) => refuseUnknownVersions(definition, versions),
  });
}

/**
 * Describes in a sentence the database that the service would start with; `look` gets the versions of what is stored. Nothing is
 * changed. Throws the errors of `openKnownStore`, as far as they show without writing.
 */
export async function inspectDatabase(
  definition: CoreDefinition,
  settings: Settings,
  look?: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  const check = async (versions: StoredVersions): Promise<void> => {
    await refuseUnknownVersions(definition, versions);
    await look?.(versions);
  };
  const url = databaseUrl(definition, settings);
  return databaseOf(definition.databases, url).inspect(url, storeSettings(settings), check);
}

/** Returns the database that is used where DATABASE_URL names none. */
export function databaseUrl({ name, databases }: CoreDefinition, { DATABASE_URL }: Settings): string {
  return DATABASE_URL || (databases.map((database) => database.fallback?.(name)).find(Boolean) ?? '');
}

/** Returns the settings of a store by those of the service. */
export function storeSettings(settings: Settings): StoreSettings {
  return {
    cacheLength: cacheShares(settings).rows,
    busyTimeoutMs: settings.STORE_BUSY_TIMEOUT_MS,
    batchWrites: 1_000,
    batchBytes: 8 * 1024 * 1024,
    gatherMs: 5,
    queueWrites: settings.STORE_QUEUE_WRITES,
    queueBytes: writeQueueBytes(settings),
    connectTimeoutMs: settings.POSTGRES_CONNECT_TIMEOUT_MS,
    responseTimeoutMs: settings.POSTGRES_RESPONSE_TIMEOUT_MS,
    readConnections: settings.POSTGRES_READ_CONNECTIONS,
    writeConnections: settings.POSTGRES_WRITE_CONNECTIONS,
  };
}

/**
 * Checks that the service can read all stored resources of its kinds. Stored kinds that the project no longer has are
 * left alone: nothing reads them. Throws StoreRefused with each version that a kind does not have.
 */
async function refuseUnknownVersions({ groups }: CoreDefinition, versions: StoredVersions): Promise<void> {
  const known = new Map<string, string[]>(
    groups.flatMap(({ name, kinds }) =>
      Object.entries(kinds).map(([kind, versions]) => [`${name}/${kind}`, versions] as const),
    ),
  );
  const isUnknown = ({ kind, version }: StoredVersion): boolean =>
    known.get(kind)?.includes(version) === false;
  // Finding out whether a version is still in use may read everything.
  if (!(await versions.recorded()).some(isUnknown)) return;
  const unknown = (await versions.all()).filter(isUnknown);
  if (unknown.length === 0) return;
  const found: string[] = [];
  for (const each of unknown) found.push(await described(versions, each));
  throw new StoreRefused(
    `the database has ${found.join('; ')}, which this service does not know. ` +
      'Declare the version again, with its kinds and rules, and run `npm run migrate-storage` before it is removed',
  );
}

async function described(versions: StoredVersions, stored: StoredVersion): Promise<string> {
  const { resources, snapshots } = await versions.count(stored);
  return `${stored.kind} in ${stored.version} (resources: ${resources}, snapshots: ${snapshots})`;
}
