import type { Labels, Requirement } from '../model/selectors/selector';
import type { Key, Refused, ResourceIndex } from './indexes';
import type { KeyedResponse, KeyedResponses } from './keyed-response';
import type { MaybePromise, StoredResource, StoredSnapshot } from './stored-resource';
import type { StoredVersions } from './stored-versions';

export type { MaybePromise, StoredResource, StoredSnapshot };

/** The event of a write, stored in its transaction. */
export interface NewEvent {
  id: string;
  type: string;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** Preserved fields of its resource, as JSON text; null for none. */
  kept: string | null;
}

/** The new state of a resource. */
export interface NewState {
  uid: string;
  version: string;
  text: string;
  etag: string;
  kept: string | null;
  snapshot?: StoredSnapshot;
  /** With a snapshot: the number of newest ones that stay. Undefined keeps all. */
  keepSnapshots?: number;
  event?: NewEvent;
  /** All entries of the new state; absent for a kind without indexes. */
  index?: ResourceIndex;
}

/**
 * A write of one resource: everything it changes in one transaction. It is plain data, so that it can be passed to
 * another thread or another machine. `kind` is `<group>/<Kind>`.
 */
export type SingleWrite =
  | ({ action: 'create'; kind: string; labels: Labels; keyed?: KeyedResponse } & NewState)
  | ({ action: 'update'; kind: string; id: number; revision: number } & Update & NewState)
  | ({ action: 'delete'; kind: string; id: number; uid: string; revision: number } & Deletion);

/** The other members of an update. */
interface Update {
  /** Absent when the write does not change them. */
  labels?: Labels;
  /** Set where the write only changes how the resource is stored: the position of its last event stays. */
  isRewrite?: true;
}

/** The other members of a deletion. */
interface Deletion {
  event?: NewEvent;
  /** Set for a kind with indexes. */
  isIndexed?: true;
}

/**
 * One write, or several of different resources in one transaction, all or nothing. References of resources that these
 * delete or update count only as their new states have them.
 */
export type Write = SingleWrite | { action: 'all'; writes: SingleWrite[] };

/**
 * `conflict`: the uid or the key of the response is taken (create), or the resource has another revision or is gone; nothing was written. A write may be
 * refused only where it has indexes.
 */
export type WriteResult = 'done' | 'conflict' | Refused;

/** A row of a list. Its text is empty when it was left out. */
export type Listed<Row> = Row & {
  /** Length in bytes of the text, if it was left out because it is longer than `maxText`. */
  omitted?: number;
  /** In a list that is sorted by an index: the key of the row. */
  sortKey?: Key;
};

/** Returns a row of these columns without `omitted` where its text was read. */
export function listed<Row>({ omitted, ...row }: Row & { omitted: number | null }): Listed<Row> {
  return (omitted === null ? row : { ...row, omitted }) as Listed<Row>;
}

/** The order of a list. */
export interface Sort {
  /** The index that it is sorted by, in which every resource has one key; absent for the order of creation. */
  index?: string;
  descending?: boolean;
  /** Resources with the same key come newest first. */
  newestFirst?: boolean;
}

/** One page of a list, in order of creation unless it says otherwise. */
export interface ListQuery {
  /** Only resources that come after the one with this id; 0 for the first page. */
  after: number;
  /** In a list that is sorted by an index: the key of that resource. */
  afterKey?: Key;
  /** Maximum number of resources. */
  limit: number;
  /** Requirements on labels, all of which must hold. */
  selector: Requirement[];
  sort?: Sort;
  /** Only resources created up to the one with this id; in lists in order of creation. */
  upTo?: number;
  /** Texts of more bytes are left out, so that a few large ones do not fill the memory. */
  maxText?: number;
}

/** The texts of one page of a list, joined by commas. */
export interface ListedTexts {
  joined: string;
  count: number;
  /** `after` of the next page; undefined when nothing follows. */
  next: number | undefined;
}

/** The value of `maxText` for all texts, and of `upTo` for all resources. */
export const [ANY_TEXT, ANY_ID] = [2 ** 31 - 1, Number.MAX_SAFE_INTEGER];

/** Returns the ids of a page in order of creation: those above the first number, up to the second. */
export function idRange({ after, upTo = ANY_ID, sort }: ListQuery): [above: number, upTo: number] {
  if (!sort?.descending) return [after, upTo];
  return [0, after === 0 ? ANY_ID : after - 1];
}

/** The members of a store that parts add which a service may do without: each declares its own here (`declare module`). */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface StoreParts {}

/**
 * The storage of resources. Every write is one durable transaction, acknowledged after its commit. All methods throw
 * StoreUnavailable when the store cannot be reached or written.
 */
export interface Store extends StoreParts {
  /** Returns the resource of this kind with this uid, or undefined. */
  get(kind: string, uid: string): MaybePromise<StoredResource | undefined>;
  /**
   * Returns the row of a resource as this process has it in memory; undefined where it has none. Other processes may have written
   * the resource since: it is good for a write, which names its revision. Absent where rows are not kept.
   */
  remembered?(kind: string, uid: string): StoredResource | undefined;
  /** Returns a page of resources in order. */
  list(kind: string, query: ListQuery): MaybePromise<Listed<StoredResource>[]>;
  /**
   * Returns the same page without rows, where that is possible: all of it must be stored in `version`, and no text may
   * be left out. Undefined sends the caller to `list`.
   */
  listTexts?(kind: string, query: ListQuery, version: string): MaybePromise<ListedTexts | undefined>;
  /**
   * Returns a token that changes with every state of a kind's resources; undefined where the state is not known. What is
   * read after it is at least as new. Absent where it would cost a query.
   */
  listState?(kind: string): string | undefined;
  /**
   * Applies one write; resolves when it is durable. Its wait for a lock counts from `since`, in the time of
   * performance.now(), where its client has been waiting already.
   */
  write(write: Write, since?: number): Promise<WriteResult>;
  /** Returns the result that a write would have now. It changes nothing. */
  judge(write: Write): Promise<WriteResult>;
  /** The API versions of the stored resources and snapshots. */
  readonly versions: StoredVersions;
  /** The responses to creates with an Idempotency-Key. */
  readonly responses: KeyedResponses;
  /**
   * Notes in the database what the writes of this process leave out: it counts as outdated or incomplete from then on. A service
   * calls it before its first write, once nothing refuses its start any more.
   */
  noteOmissions(): Promise<void>;
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

/**
 * The consumer of the cursor that a service without events leaves in the database: no consumer has an empty name. The log
 * lacks what is written then, so that it begins anew at the next start with events.
 */
export const NOBODY = '';

/** The reason why a running process stops writing when a newer one has migrated the schema. */
export const UPGRADED = 'a newer version of this service has upgraded the database';

/**
 * Another release of the service makes the entries of these kinds, under other declarations: a write of this process would
 * leave them incomplete. Nothing was written.
 */
export class OtherDeclarations extends StoreUnavailable {
  override name = 'OtherDeclarations';

  constructor(readonly kinds: readonly string[]) {
    super(`${OTHER_DECLARATIONS} ${kinds.join(' ')}`);
  }
}

/** The reason why a running process stops writing kinds; their names follow. */
export const OTHER_DECLARATIONS =
  'another release of the service has started, with other declarations of names, fields or references of';

/** A database that must not be used as it is: the service refuses to start. The message names the reason and the remedy. */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
}
