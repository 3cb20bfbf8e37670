import type { IncomingMessage } from 'node:http';
import type { KeyedMutex } from '../concurrency/keyed-mutex';
import type { SitePages, Tree } from '../http/responses/page';
import type { MemoryBudget } from '../memory/memory-budget';
import type { KindDefinition } from '../model/kinds/kind';
import type { HubState, StoredText } from '../model/kinds/versioning';
import type { Resource } from '../model/resource';
import type { Settings } from '../settings/settings';
import type { ResourceIndex } from '../store/indexes';
import type { NewEvent, Store } from '../store/store';
import type { CoreDefinition } from './core-definition';
import type { Logger } from './logger';
import type { ServedKinds } from './served-kinds';

/** The core of a running service, which every endpoint works with. */
export interface CoreService {
  definition: CoreDefinition;
  settings: Settings;
  store: Store;
  logger: Logger;
  /** Milliseconds since 1970. */
  now(): number;
  /** Serialises the writes of one resource, by its kind and the uid or name that a request has. */
  turns: KeyedMutex;
  /** Memory of concurrent requests. */
  memory: MemoryBudget;
  /** The served kinds, by name. */
  kinds: ServedKinds;
  /** The features of the service that run. */
  parts: readonly FeaturePart[];
  /** Set when a stop has begun: not ready, and connections are closed after their response. */
  draining: boolean;
  /** Ends the delivery of events, finishes the writes under way and closes the store. */
  close(): Promise<void>;
}

/** Members that features add to a service: each declares its own here (`declare module`). */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Additions {}

/** A running service, with the members that its features add. */
export type Service = CoreService & Additions;

/** A feature of a running service. Every member is optional. */
export interface FeaturePart {
  /** Members that it adds to the service, for other code to use. */
  adds?: Partial<Additions>;
  /** Prepares the open store, before anything is served. It throws StoreRefused where the service must not start. */
  prepare?(): Promise<void>;
  /** Returns the event to store with a write. */
  eventOf?(change: Change): NewEvent;
  /** Returns its pages, by path. */
  pages?(kinds: KindDefinition[]): SitePages;
  /** Returns handlers of all paths below a first segment, by that segment. */
  trees?(kinds: KindDefinition[]): { [segment: string]: Tree };
  /** Its links in the index of the service, by name. */
  links?: { [name: string]: string };
  /** Returns the lag of each of its consumers, in seconds. */
  lags?(): Map<string, number>;
  /** Called with each response when all of it is handed over; `route` is a template such as `/devices/{uid}`. */
  responded?(route: string, method: string, status: number, seconds: number): void;
  /** Called after each commit of the store. */
  committed?(writes: number, seconds: number): void;
  /** Called once when the service begins to stop: ends work that never ends by itself. */
  stop?(): void;
  /** Ends its work while the store is still open. */
  close?(): Promise<void>;
}

/** A write of a resource, as it is about to be stored. */
export interface Change {
  /** A write of the status is an update, but is distinguished from one of the spec. */
  cause: 'created' | 'updated' | 'status' | 'deleted';
  /** The resource after the write; its last state where it is deleted. */
  resource: Resource;
  /** The same as JSON text in the storage version. */
  text: string;
  /** Preserved fields of the resource, as they are stored. */
  kept: string | null;
  /** Milliseconds since 1970. */
  time: number;
  /** The request that writes; a program may write without one. */
  request?: IncomingMessage;
  kind: KindDefinition;
  /** The resource before an update, and as it was stored. */
  before?: { state: HubState; row: StoredText };
  /** The entries of the resource after a create or an update; absent for a kind without any. */
  index?: ResourceIndex;
}
