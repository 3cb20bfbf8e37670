import { setTimeout } from 'node:timers/promises';
import { openStream, type Received } from '../../runtime/events/sse';

/** A client of `/events` that resumes where its stream ended. */
export class EventReader {
  readonly received: Received[] = [];
  /** True once its position was refused. */
  isGone = false;
  #lastId = '0';
  #closed = false;
  readonly #running: Promise<void>;

  constructor(private readonly port: number) {
    this.#running = this.#run();
  }

  /** Ends when this many events have come, or with `false` after `ms` milliseconds. */
  async reach(count: number, ms: number): Promise<boolean> {
    for (const until = performance.now() + ms; this.received.length < count; await setTimeout(20))
      if (performance.now() > until) return false;
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closed && !this.isGone) {
      await this.#read().catch(() => undefined);
      await setTimeout(20);
    }
  }

  async #read(): Promise<void> {
    const stream = await openStream(this.port, '/events', { 'Last-Event-ID': this.#lastId });
    this.isGone = stream.status === 410;
    let isOver = stream.status !== 200;
    void stream.ended.then(() => (isOver = true));
    for (let taken = 0; ; await setTimeout(20)) {
      const ends = isOver || this.#closed;
      for (const event of stream.received.slice(taken)) this.received.push(event);
      taken = stream.received.length;
      if (stream.status === 200 && stream.lastId !== '') this.#lastId = stream.lastId;
      if (ends) return stream.close();
    }
  }
}
