import type { CommitLimits } from './group-commit';
import { type Store, StoreRefused } from './store';
import type { StoredVersions } from './stored-versions';

/** Settings of a store. Each kind of database reads those that concern it. */
export interface StoreSettings extends CommitLimits {
  /** Maximum size of the rows that the store caches, in characters. */
  cacheLength: number;
  /** Time to connect to a server, and for one of its responses, after which the connection is closed, in milliseconds. */
  connectTimeoutMs: number;
  responseTimeoutMs: number;
  /** Connections of this process to a server, for reads and for writes. */
  readConnections: number;
  writeConnections: number;
  /**
   * Commits in a separate thread, so that reads do not wait; it costs a commit about 0.1 ms. True unless the sources run without
   * a build.
   */
  writerThread?: boolean;
  /** Called with what the operator should know; without it, nothing looks for other processes that have a file open. */
  onNotice?: (notice: Notice) => void;
  /** Set where the processes that have the database open know of one another: they are no reason for a notice. */
  isShared?: boolean;
  /** Gets the API versions of what a database has, before anything is changed there. Throws StoreRefused. */
  checkVersions?: (versions: StoredVersions) => Promise<void>;
}

/** A message about a database for its operator. */
export interface Notice {
  level: 'warn' | 'error';
  text: string;
  /** Values for programs that read the log. */
  facts?: object;
}

/** Options that override the settings of a store. */
export type StoreOptions = Partial<StoreSettings>;

/** A kind of database that a service is generated with: a subfolder, such as `sqlite`. */
export interface Database {
  /** The form of its URLs, for people. */
  forms: string;
  /** Returns whether a URL names a database of this kind. */
  accepts(url: string): boolean;
  /** Returns the URL of a service without DATABASE_URL; absent where there is no default. */
  fallback?(service: string): string;
  /**
   * Opens a store. Throws StoreRefused for an unusable database, and StoreUnavailable when it cannot be reached or opened.
   */
  open(url: string, settings: StoreSettings): Promise<Store>;
  /**
   * Describes a database in a sentence, and changes nothing. `check` gets the API versions of the stored resources. Throws what
   * `open` throws, as far as it shows without writing.
   */
  inspect(
    url: string,
    settings: StoreSettings,
    check: (versions: StoredVersions) => Promise<void>,
  ): Promise<string>;
}

/** The parts of databases that come from outside: a service without the feature has none of their code. */
export interface DatabaseParts<Part> {
  events?: Part;
  history?: Part;
  indexing?: Part;
  migration?: Part;
}

/** Returns the parts that are there. */
export function partsIn<Part>(parts: DatabaseParts<Part>): Part[] {
  return Object.values<Part | undefined>({ ...parts }).filter((part) => part !== undefined);
}

/**
 * Returns the kind of database that a DATABASE_URL names, such as `sqlite:./data/name.db` or `postgres://user@host/name`.
 * Throws StoreRefused for a URL of another kind.
 */
export function databaseOf(databases: readonly Database[], url: string): Database {
  const found = databases.find((database) => database.accepts(url));
  if (found !== undefined) return found;
  // The URL itself may carry a password.
  throw new StoreRefused(`DATABASE_URL must be ${databases.map(({ forms }) => forms).join(', or ')}`);
}
