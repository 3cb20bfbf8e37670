import type { Response } from 'express';
import { cutOff } from '../../http/responses/cut-off';
import type { Reservation } from '../../memory/memory-lane';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';

/** Memory of a list that is being sent: it covers the chunk that is read, until the client has taken it. */
export class ListMemory {
  /** Bytes that earlier chunks still need, besides that of a chunk. */
  needed = 0;
  #held: Reservation | undefined;

  constructor(
    private readonly service: Pick<Service, 'memory' | 'settings'>,
    private readonly res: Response,
  ) {}

  /** Reserves memory in place of that of the previous chunk. Throws HttpProblem 503, unless a chunk has been sent. */
  async reserve(bytes: number): Promise<void> {
    this.release();
    const { memory } = this.service;
    this.#held = await memory.reserve('response', bytes + this.needed, this.res);
  }

  /**
   * Writes the chunk that `take` returns; resolves when the client has taken it. Throws HttpProblem 408 for a client
   * that takes too long or has disconnected.
   */
  async write(take: () => Buffer): Promise<void> {
    const { res } = this;
    const { socket } = res.req;
    // A response that waits behind another one is not closed with its connection.
    if (socket.destroyed) throw gone();
    if (res.write(take())) return;
    this.#held?.resize(res.writableLength);
    this.#held?.awaitClient(() => cutOff(res.req));
    const timer = setTimeout(() => cutOff(res.req), this.service.settings.SEND_TIMEOUT_MS);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        res.off('drain', done);
        socket.off('close', done);
        resolve();
      };
      res.on('drain', done);
      socket.setMaxListeners(0).on('close', done);
    });
    clearTimeout(timer);
    this.#held?.clientDone();
    if (socket.destroyed) throw gone();
  }

  /** Releases the memory. */
  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }
}

/** The error of a client that has disconnected, which nobody gets to see. */
function gone(): HttpProblem {
  return new HttpProblem(408, 'The client did not read the response in time.');
}
