import type { Logger } from 'pino';
import type { CommitLimits } from './group-commit';
import type { IndexedKind, IndexProblem, Progress } from './indexes';
import { type Store, StoreRefused } from './store';
import type { StoredVersions } from './stored-versions';

/** Settings of a store. Each kind of database reads those that concern it. */
interface StoreSettings extends CommitLimits {
  /** Maximum size of the rows that the store caches, in characters. */
  cacheLength: number;
  /** Time to connect to a server, and for one of its responses, in milliseconds. */
  connectTimeoutMs: number;
  responseTimeoutMs: number;
  /** Connections of this process to a server, for reads and for writes. */
  readConnections: number;
  writeConnections: number;
  /** Commits in a separate thread, so that reads do not wait; true unless the sources run without a build. */
  writerThread?: boolean;
  /** Called at start when another process has the file open. Without it there is no check. */
  onShared?: () => void;
  /** Called once, when a pooler switches sessions between transactions. */
  onPooler?: () => void;
  /** Called when another server of the database has taken over. */
  onFailover?: (failover: Failover) => void;
}

/** A change of the server that a database is on: a promotion, or a restore. */
export interface Failover {
  /** The server that is the primary now. */
  server: string;
  /** The timeline of the database now, and that of the former server. */
  timeline: number;
  before: number;
  /** The time of the last transaction that the server received before its promotion, where it knows one. */
  receivedUntil?: string;
  /** Number of the last acknowledged transactions of this process, and how many of them the server does not have. */
  remembered: number;
  forgotten: number;
}

/** Options of a store; every member has a default. */
export type StoreOptions = Partial<StoreSettings>;

/** A kind of database that a service is generated with: a subfolder, such as `sqlite`. */
export interface Database {
  /** The form of its URLs, for people. */
  forms: string;
  /** Returns whether a URL names a database of this kind. */
  accepts(url: string): boolean;
  /** Returns the URL of a service without DATABASE_URL; absent where there is no default. */
  fallback?(service: string): string;
  /** Returns options that log what happens to its servers; absent where it has none. */
  reports?(logger: Logger): StoreOptions;
  /** Opens a store. Throws StoreRefused and StoreUnavailable. */
  open(url: string, settings: StoreSettings): Promise<Store>;
  /** Describes the contents of a database in a sentence, and changes nothing. Throws what `open` throws. */
  inspect(
    url: string,
    settings: StoreSettings,
    check: (versions: StoredVersions) => Promise<void>,
  ): Promise<string>;
  /** Checks what is stored against the rules of indexes, and changes nothing. Throws what `open` throws. */
  checkIndexes(
    url: string,
    settings: StoreSettings,
    kinds: readonly IndexedKind[],
    progress?: Progress,
  ): Promise<IndexProblem[]>;
}

/** The settings of a store without options. */
export const DEFAULTS: StoreSettings = {
  cacheLength: 32 * 1024 * 1024,
  busyTimeoutMs: 5_000,
  batchWrites: 1000,
  batchBytes: 8 * 1024 * 1024,
  gatherMs: 5,
  queueWrites: 20_000,
  queueBytes: 128 * 1024 * 1024,
  connectTimeoutMs: 2_000,
  responseTimeoutMs: 15_000,
  readConnections: 3,
  writeConnections: 2,
};

/**
 * Opens the store that a DATABASE_URL names, such as `sqlite:./data/name.db` or `postgres://user@host/name`. Throws
 * StoreRefused for an unusable database, and for a URL of another kind than `databases`; StoreUnavailable when the
 * database cannot be reached or opened.
 */
export async function openStore(
  databases: readonly Database[],
  url: string,
  options: StoreOptions = {},
): Promise<Store> {
  return databaseOf(databases, url).open(url, { ...DEFAULTS, ...options });
}

/**
 * Describes the database that a DATABASE_URL names in a sentence, and changes nothing. `check` gets the API versions of
 * the stored resources. Throws what `openStore` throws, as far as it shows without writing.
 */
export async function inspectStore(
  databases: readonly Database[],
  url: string,
  check: (versions: StoredVersions) => Promise<void>,
  options: StoreOptions = {},
): Promise<string> {
  return databaseOf(databases, url).inspect(url, { ...DEFAULTS, ...options }, check);
}

/** Returns the kind of database that a URL names. Throws StoreRefused for a URL of another kind. */
export function databaseOf(databases: readonly Database[], url: string): Database {
  const found = databases.find((database) => database.accepts(url));
  if (found !== undefined) return found;
  // The URL itself may carry a password.
  throw new StoreRefused(`DATABASE_URL must be ${databases.map(({ forms }) => forms).join(', or ')}`);
}
