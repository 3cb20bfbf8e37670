import type { Requirement } from '../selector';
import type { EventLog } from './event-log';
import type { StoredVersions } from './stored-versions';

/** A value, or a promise of it: SQLite answers reads at once, PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>;

/** A stored resource: its exact JSON text in the version that wrote it. */
export interface StoredResource {
  /** Grows with creation within a kind: the order of lists and the position of a page. */
  id: number;
  uid: string;
  /** Counts the writes of this resource; what compare-and-set compares. */
  revision: number;
  /** The API version of `text`. */
  version: string;
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
  /** What spokes keep aside, as JSON text; null for nothing. */
  kept: string | null;
}

/** A stored snapshot of a spec. */
export interface StoredSnapshot {
  versionId: string;
  version: string;
  text: string;
  kept: string | null;
}

/** The event of a write, stored in its transaction (contract, "Events"). */
export interface NewEvent {
  id: string;
  type: string;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** What spokes keep aside of its resource, as JSON text; null for nothing. */
  kept: string | null;
}

/** What the new state of a resource consists of. */
export interface NewState {
  uid: string;
  version: string;
  text: string;
  etag: string;
  kept: string | null;
  snapshot?: StoredSnapshot;
  /** With a snapshot: how many of the newest are kept. Undefined keeps all. */
  keepSnapshots?: number;
  event?: NewEvent;
}

/**
 * One write: everything it changes in one transaction. It is plain data, so that it can be handed to
 * another thread or another machine. `kind` is `<group>/<Kind>`.
 */
export type Write =
  | ({ action: 'create'; kind: string; labels: Labels } & NewState)
  /** `labels` is absent when the write leaves them as they are. */
  | ({ action: 'update'; kind: string; id: number; revision: number; labels?: Labels } & NewState)
  | { action: 'delete'; kind: string; id: number; uid: string; revision: number; event?: NewEvent };

/** Labels of a resource. */
export interface Labels {
  [key: string]: string;
}

/** `conflict`: the uid is taken (create), or the resource has another revision or is gone; nothing was written. */
export type WriteResult = 'done' | 'conflict';

/** One page of a list, in order of creation. */
export interface ListQuery {
  /** Only resources created after the one with this id; 0 for the first page. */
  after: number;
  /** How many at most. */
  limit: number;
  /** Labels that all must hold. */
  selector: Requirement[];
}

/** The texts of one page of a list, joined by commas. */
export interface ListedTexts {
  joined: string;
  count: number;
  /** What `after` of the next page is; undefined when nothing follows. */
  next: number | undefined;
}

/** Some snapshots of a resource: so many at most, after the one with this id. */
export interface SnapshotPage {
  after: string;
  limit: number;
}

/** All of them. */
export const ALL_SNAPSHOTS: SnapshotPage = { after: '', limit: 2 ** 31 - 1 };

/** What of a snapshot a key tells. */
export interface SnapshotKey {
  kind: string;
  uid: string;
  versionId: string;
}

/**
 * Where resources live. Every write is one durable transaction, acknowledged after its commit.
 * All methods throw StoreUnavailable when the store cannot be reached or written.
 */
export interface Store {
  /** The resource of this kind with this uid, or undefined. */
  get(kind: string, uid: string): MaybePromise<StoredResource | undefined>;
  /** A page of resources in order of creation. */
  list(kind: string, query: ListQuery): MaybePromise<StoredResource[]>;
  /**
   * The same page without making rows of it, where that is possible: all of it must be stored in `version`. Undefined
   * sends the caller to `list`.
   */
  listTexts?(kind: string, query: ListQuery, version: string): MaybePromise<ListedTexts | undefined>;
  /**
   * Applies one write; resolves when it is durable. How long it waits for a lock counts from `since`, as performance.now()
   * counts, where its client has been waiting already.
   */
  write(write: Write, since?: number): Promise<WriteResult>;
  /** The snapshots of a resource, oldest first, all without a page; empty when there are none. */
  listSnapshots(kind: string, uid: string, page?: SnapshotPage): MaybePromise<StoredSnapshot[]>;
  getSnapshot(key: SnapshotKey): MaybePromise<StoredSnapshot | undefined>;
  /** Whether there was one to delete. */
  deleteSnapshot(key: SnapshotKey): Promise<boolean>;
  /** The API versions of all that is stored. */
  readonly versions: StoredVersions;
  /** The events that were written with the resources. */
  readonly events: EventLog;
  /** Resolves when the store can be written. */
  ready(): Promise<void>;
  /** Finishes the writes under way and closes; later calls throw StoreUnavailable. */
  close(): Promise<void>;
}

/** The store cannot serve: 503. Unless `outcomeUnknown`, the write was not made. */
export class StoreUnavailable extends Error {
  constructor(
    message: string,
    readonly outcomeUnknown = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** A database that must not be used as it is: the service refuses to start. The message says what and what to do. */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
}
