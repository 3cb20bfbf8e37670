import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { HttpProblem } from '../model/problem';
import type { Settings } from '../settings/settings';
import type { MaybePromise } from '../store/store';
import { type Client, type LaneLimits, MemoryLane, type Reservation } from './memory-lane';

/**
 * Uses of memory, each with a quarter of the budget, in the order in which a request needs them. A request that holds
 * one use waits only for a later one, so that no two requests wait for each other.
 */
const USES = [
  /** Bodies that are being received. */
  'body',
  /** Parsed documents of requests. */
  'document',
  /** Responses that clients have not taken yet, and parts of lists under construction. */
  'response',
  /** Stored documents, parsed to be changed or checked by a policy. */
  'stored',
] as const;

type MemoryUse = (typeof USES)[number];

/** Part of each use that is reserved for small reservations, so that small requests continue while large ones wait. */
const FOR_SMALL = 0.25;
const SMALL = 262_144;

/** Default part of the process's memory for requests. */
const DEFAULT_PART = 0.25;

/** Use of reserved memory. */
interface Spending<V, T> {
  read(): MaybePromise<V>;
  cost(value: V): number;
  action(value: V, more: MoreMemory): MaybePromise<T>;
}

/**
 * Adds bytes to what a request has reserved of a use. It gives back what it has while it waits: otherwise it could wait for
 * itself, or two for each other. Throws what `reserve` throws.
 */
export type MoreMemory = (bytes: number) => Promise<void>;

/** Memory for all concurrent requests: bodies, documents and responses. Beyond it requests wait, and then get 503. */
export class MemoryBudget {
  /** Total number of bytes. */
  readonly bytes: number;
  readonly #lanes = new Map<MemoryUse, { small: MemoryLane; large: MemoryLane }>();
  /** Maximum for one request. */
  readonly #most = getHeapStatistics().heap_size_limit;

  constructor({ bytes, ...waiting }: LaneLimits) {
    this.bytes = bytes;
    const part = bytes / USES.length;
    for (const use of USES)
      this.#lanes.set(use, {
        small: new MemoryLane({ bytes: part * FOR_SMALL, ...waiting }),
        large: new MemoryLane({ bytes: part * (1 - FOR_SMALL), ...waiting }),
      });
  }

  /**
   * Reserves memory, at once where there is room. Throws HttpProblem 413 for more than the process could ever have, and
   * 503 when there is no room within a time or when `client`, a response, is closed. A response that has begun waits
   * without limit.
   */
  reserve(use: MemoryUse, bytes: number, client: Client): MaybePromise<Reservation> {
    return this.#lane(use, bytes).reserve(bytes, client);
  }

  /** Reserves memory if there is room now. Throws HttpProblem 413 as `reserve` does. */
  tryReserve(use: MemoryUse, bytes: number): Reservation | undefined {
    return this.#lane(use, bytes).tryReserve(bytes);
  }

  /**
   * Calls `action` with the result of `read`, while the memory that `cost` demands is reserved. A request that has to
   * wait for it holds nothing meanwhile, and reads again. Throws what `reserve` throws.
   */
  async spend<V, T>(use: MemoryUse, client: Client, spending: Spending<V, T>): Promise<T> {
    const found = spending.read();
    const value = found instanceof Promise ? await found : found;
    const bytes = spending.cost(value);
    const atOnce = this.tryReserve(use, bytes);
    let reserved = atOnce ?? (await this.reserve(use, bytes, client));
    const more: MoreMemory = async (further) => {
      reserved.release();
      reserved = await this.reserve(use, bytes + further, client);
    };
    try {
      return await spending.action(atOnce === undefined ? await spending.read() : value, more);
    } finally {
      reserved.release();
    }
  }

  /** Reserves memory that is in use already. */
  take(use: MemoryUse, bytes: number): Reservation {
    return this.#lane(use, Math.min(bytes, this.#most)).take(bytes);
  }

  /** Bytes that are reserved now. */
  used(use: MemoryUse): number {
    const { small, large } = this.#lanes.get(use)!;
    return small.used + large.used;
  }

  #lane(use: MemoryUse, bytes: number): MemoryLane {
    if (bytes > this.#most)
      throw new HttpProblem(413, 'The request needs more memory than this service has.');
    return this.#lanes.get(use)![bytes <= SMALL ? 'small' : 'large'];
  }
}

/** Returns the memory budget of the settings. */
export function memoryBudget(settings: Settings): MemoryBudget {
  const { MEMORY_WAIT_MS, MEMORY_QUEUE } = settings;
  return new MemoryBudget({ bytes: budgetBytes(settings), waitMs: MEMORY_WAIT_MS, queue: MEMORY_QUEUE });
}

/**
 * Part of the budget for writes that wait for the store, and the number of copies of the largest document that always fit: the
 * resource, its snapshot, its event and a response to repeat.
 */
const [QUEUE_PART, QUEUE_COPIES] = [0.25, 4];

/**
 * Returns the maximum size of writes that wait for the store, in bytes. A patch makes large documents of small ones,
 * for which little was reserved.
 */
export function writeQueueBytes(settings: Settings): number {
  const { STORE_QUEUE_BYTES, MAX_BODY_BYTES, MAX_PATCHED_BYTES } = settings;
  const least = QUEUE_COPIES * Math.max(MAX_BODY_BYTES, MAX_PATCHED_BYTES);
  return Math.min(STORE_QUEUE_BYTES, Math.max(QUEUE_PART * budgetBytes(settings), least));
}

/** Returns the bytes of this process's budget: workers share the setting. */
function budgetBytes({ MEMORY_BUDGET_BYTES, WORKERS }: Settings): number {
  return MEMORY_BUDGET_BYTES > 0
    ? MEMORY_BUDGET_BYTES / WORKERS
    : DEFAULT_PART * Math.min(memoryLimit() / WORKERS, 2 * getHeapStatistics().heap_size_limit);
}

/** Returns the memory of the machine or of the control group of this process, in bytes. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
