import type { MemoryBudget } from '../../memory/memory-budget';
import type { Reservation } from '../../memory/memory-lane';

/** Memory that several streams share, reserved while one of them uses it. */
export class SharedMemory {
  #users = 0;
  #held: Reservation | undefined;
  readonly #stalled = new Set<() => void>();

  constructor(
    private readonly memory: MemoryBudget,
    private size: number,
  ) {}

  /** Number of bytes that are reserved for the users. */
  get bytes(): number {
    return this.size;
  }

  /** Adds bytes that the users have in memory already. */
  grow(bytes: number): void {
    this.size += bytes;
    this.#held?.resize(this.size);
  }

  /** Adds a user. Returns false when there is no room, and nobody uses the memory yet. */
  use(): boolean {
    if (this.#users === 0) this.#held = this.memory.tryReserve('response', this.bytes);
    if (this.#held === undefined) return false;
    this.#users += 1;
    return true;
  }

  /** Removes a user. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#held?.release();
    // A disconnected client may take a while to go; it must not stand for those that use the memory next.
    this.#stalled.clear();
  }

  /**
   * Records that a user waits for its client, which `giveUp` disconnects when others need memory. The returned function
   * ends that.
   */
  awaitClient(giveUp: () => void): () => void {
    if (this.#stalled.size === 0) this.#held?.awaitClient(() => [...this.#stalled].forEach((each) => each()));
    this.#stalled.add(giveUp);
    return () => {
      this.#stalled.delete(giveUp);
      if (this.#stalled.size === 0) this.#held?.clientDone();
    };
  }
}
