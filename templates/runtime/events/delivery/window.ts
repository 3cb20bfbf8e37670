import type { Position } from '../../store/events/event-log';
import { lengthOf } from '../../store/stored-resource';
import type { LoggedEvent } from '../log/logged-event';

interface Entry {
  position: Position;
  bytes: number;
  /** Time of the write, in milliseconds since 1970. */
  writtenAt: number;
  done: boolean;
}

/**
 * The events under delivery, in the order of the log. They may finish in any order; `onProgress` is called with the
 * last position before which everything is done.
 */
export class Window {
  #entries: Entry[] = [];
  #bytes = 0;
  #onRoom: (() => void) | undefined;

  constructor(
    private readonly limit: { events: number; bytes(): number },
    private readonly onProgress: (position: Position) => void,
  ) {}

  /** True if another event fits in. */
  get hasRoom(): boolean {
    return this.#entries.length < this.limit.events && this.#bytes < this.limit.bytes();
  }

  /** Resolves when there is room, or when the signal aborts. It serves one waiter at a time. */
  room(signal: AbortSignal): Promise<void> {
    if (this.hasRoom || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        this.#onRoom = undefined;
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#onRoom = go;
      signal.addEventListener('abort', go);
    });
  }

  /** The time when the first unfinished event was written, in milliseconds since 1970. */
  get oldest(): number | undefined {
    return this.#entries[0]?.writtenAt;
  }

  /** Adds the next event. Returns the function to call when it is done. */
  add(event: LoggedEvent): () => void {
    const { position, writtenAt } = event;
    const entry = { position, bytes: lengthOf(event), writtenAt, done: false };
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    return () => {
      entry.done = true;
      this.#shift();
    };
  }

  #shift(): void {
    const left = this.#entries.findIndex(({ done }) => !done);
    const count = left < 0 ? this.#entries.length : left;
    if (count === 0) return;
    const finished = this.#entries.splice(0, count);
    for (const { bytes } of finished) this.#bytes -= bytes;
    this.onProgress(finished.at(-1)!.position);
    if (this.hasRoom) this.#onRoom?.();
  }
}
