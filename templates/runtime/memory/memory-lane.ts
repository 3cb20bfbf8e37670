import { type HttpProblem, unavailable } from '../model/problem';

/** Limits of reservations: bytes, waiting time and queue length. */
export interface LaneLimits {
  /** Maximum number of bytes that may be reserved at a time. */
  bytes: number;
  waitMs: number;
  queue: number;
}

/** Part of a request's wait during which no client is disconnected for its sake. */
const GRACE = 0.2;

/** A response that a reservation waits for; `close` is emitted when it is closed. */
export interface Client {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  on(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Memory that a request has reserved. */
export class Reservation {
  #released = false;
  /** The wait for its client, which the lane sets. */
  pending: Pending | undefined;

  constructor(
    private readonly lane: MemoryLane,
    private bytes: number,
  ) {}

  /** Changes the reservation to the size that is really used. It never waits. */
  resize(bytes: number): void {
    if (this.#released) return;
    this.lane.resize(bytes - this.bytes);
    this.bytes = bytes;
  }

  /**
   * Records that the memory is held until a client sends or takes something. When others need memory, the client that
   * has kept it waiting the longest is disconnected: `giveUp` must release the reservation, at the latest when the
   * connection is closed.
   */
  awaitClient(giveUp: () => void): void {
    if (!this.#released) this.lane.awaitClient(this, giveUp);
  }

  /** Records that the client has done its part. */
  clientDone(): void {
    this.lane.forget(this);
  }

  /** Releases the memory; later calls do nothing. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.lane.end(this, this.bytes);
  }
}

interface Waiting {
  bytes: number;
  grant(): void;
}

/** A wait for a client, from a time of performance.now() on. */
interface Pending {
  since: number;
  giveUp(): void;
  /** Index of the reservation among those of the lane that wait. */
  index: number;
}

/**
 * A number of bytes that requests reserve. Requests without room wait in order of arrival. One that needs more than the
 * total gets it when nobody else has any.
 */
export class MemoryLane {
  #used = 0;
  #holders = 0;
  #waking = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<Waiting>();
  /**
   * Those that wait for their client, in no order. A Map would keep garbage of each request alive: it copies its entries to a new
   * table time and again, and V8 collects what an old table refers to only together with that table.
   */
  readonly #pending: Reservation[] = [];

  constructor(private readonly limits: LaneLimits) {}

  /** Bytes that are reserved. */
  get used(): number {
    return this.#used;
  }

  /** Reserves without waiting, whether there is room or not. */
  take(bytes: number): Reservation {
    this.#used += bytes;
    this.#holders += 1;
    this.#relieve();
    return new Reservation(this, bytes);
  }

  /** Reserves if there is room and nobody waits for it. */
  tryReserve(bytes: number): Reservation | undefined {
    return this.#waiting.size === 0 && this.#fits(bytes) ? this.take(bytes) : undefined;
  }

  /**
   * Reserves as soon as there is room. Throws HttpProblem 503 when too many wait already, when it takes too long and
   * when the client disconnects, which closes `client`. A response that has begun waits without limit.
   */
  reserve(bytes: number, client: Client): Reservation | Promise<Reservation> {
    const reserved = this.tryReserve(bytes);
    if (reserved !== undefined) return reserved;
    const { waitMs, queue } = this.limits;
    const admitted = client.headersSent;
    if (client.destroyed || (!admitted && (this.#waiting.size >= queue || waitMs === 0))) throw noMemory();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        client.off('close', refuse);
      };
      const refuse = (): void => {
        settle();
        reject(noMemory());
        this.#wake();
      };
      const waiting = {
        bytes,
        grant: () => {
          settle();
          resolve(this.take(bytes));
        },
      };
      const timer = admitted ? undefined : setTimeout(refuse, waitMs);
      client.on('close', refuse);
      this.#waiting.add(waiting);
      this.#relieve();
    });
  }

  resize(change: number): void {
    this.#used += change;
    if (change < 0) this.#wake();
    else this.#relieve();
  }

  awaitClient(reservation: Reservation, giveUp: () => void): void {
    this.forget(reservation);
    reservation.pending = { since: performance.now(), giveUp, index: this.#pending.length };
    this.#pending.push(reservation);
    this.#relieve();
  }

  forget(reservation: Reservation): void {
    if (reservation.pending === undefined) return;
    const last = this.#pending.pop()!;
    if (last !== reservation) {
      const { index } = reservation.pending;
      this.#pending[index] = last;
      last.pending!.index = index;
    }
    reservation.pending = undefined;
  }

  end(reservation: Reservation, bytes: number): void {
    this.forget(reservation);
    this.#used -= bytes;
    this.#holders -= 1;
    this.#wake();
  }

  /** True if requests wait, or if several share more than the total, which only one alone may have. */
  get #isShort(): boolean {
    return this.#waiting.size > 0 || (this.#used > this.limits.bytes && this.#holders > 1);
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.limits.bytes;
  }

  /** Admits the next request, one in each turn of the event loop: it corrects its reservation before the others follow. */
  #wake(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#waking) return;
    if (!this.#fits(next.bytes)) return this.#relieve();
    next.grant();
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#wake();
    });
  }

  /** Disconnects the clients that have held memory for the longest time, while there is too little. */
  #relieve(): void {
    if (!this.#isShort || this.#pending.length === 0 || this.#timer !== undefined) return;
    const wait = this.#dueOf(this.#oldest()) - performance.now();
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(0, wait)).unref();
  }

  #giveUp(): void {
    this.#timer = undefined;
    if (this.#isShort && this.#pending.length > 0) {
      const oldest = this.#oldest();
      if (performance.now() >= this.#dueOf(oldest)) {
        const { giveUp } = oldest.pending!;
        this.forget(oldest);
        giveUp();
      }
    }
    this.#relieve();
  }

  /** Returns the reservation that has waited for its client the longest, of one or more. */
  #oldest(): Reservation {
    return this.#pending.reduce((first, other) =>
      other.pending!.since < first.pending!.since ? other : first,
    );
  }

  /** Returns the time of performance.now() from which on a client may be disconnected. */
  #dueOf({ pending }: Reservation): number {
    return pending!.since + this.limits.waitMs * GRACE;
  }
}

function noMemory(): HttpProblem {
  return unavailable('The service has no memory for this request at the moment; nothing was written.');
}
