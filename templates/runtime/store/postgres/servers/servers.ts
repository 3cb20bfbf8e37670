import type { Client, ClientConfig } from 'pg';
import type { Notice } from '../../database';
import { StoreRefused, StoreUnavailable } from '../../store';
import { isFull, reasonOf } from './errors';
import { Fence, isPrimary } from './fence';
import { clientConfigs, type PostgresTimeouts } from './hosts';
import { identify, type Identity, onlyOn } from './identity';
import { hangUp, type Line, newLine } from './line';
import { checkServer } from './server';

/** Maximum wait for the other servers once one is found that goes on from what is known, in ms. */
const OTHERS_WAIT = 250;

/** Time without a response after which a new primary is looked for, where there are several servers, in ms. */
const SILENCE = 2_000;

/** Pause before another connection after a server that had none left, in ms: each attempt costs it a process. */
export const FULL_PAUSE = 1_000;

/** A connection to a primary. */
export interface PrimaryLine extends Line {
  /** Undefined where the server does not tell it. */
  timeline: number | undefined;
  /** The first statement of its transactions, which fails them on any other server; empty where there can be no other. */
  guard: string;
}

/** A connected server that may be used. */
interface Candidate {
  line: PrimaryLine;
  name: string;
  identity: Identity;
}

/** Options of the servers of a process. */
interface ServersOptions {
  /** Called when another server has taken over. */
  onNotice?: (notice: Notice) => void;
  /** True if nothing may be changed: what the process learns of the servers is not recorded. */
  isInspection?: boolean;
}

/**
 * The servers of a DATABASE_URL: a primary and its standbys, in any order. Each new connection goes to the primary; if
 * several servers claim to be the primary, to the one with the latest timeline.
 */
export class PostgresServers {
  /** Changes when a pooler has changed over to another server: earlier connections say nothing about their server. */
  round = 0;
  /** Maximum time until a server responds to a statement, in ms. */
  readonly responseTimeoutMs: number;
  readonly #configs: ClientConfig[];
  readonly #fence: Fence;
  readonly #lines = new Set<PrimaryLine>();
  readonly #silences = new Set<() => boolean>();
  #watch: NodeJS.Timeout | undefined;
  readonly #isInspection: boolean;
  #isLooking = false;

  /** Throws StoreRefused for an invalid URL. */
  constructor(
    url: string,
    timeouts: PostgresTimeouts,
    { onNotice, isInspection = false }: ServersOptions = {},
  ) {
    this.responseTimeoutMs = timeouts.responseTimeoutMs;
    this.#configs = clientConfigs(url, timeouts);
    this.#fence = new Fence(onNotice);
    this.#isInspection = isInspection;
  }

  /** Changes when another server has taken over: then what was read before may be no more. */
  get generation(): number {
    return this.#fence.generation;
  }

  /**
   * Connects to the primary to write there. Throws StoreUnavailable, or the error of the only server.
   */
  async connect(config?: ClientConfig): Promise<PrimaryLine> {
    const found = await this.#find(config);
    const cut = (): void => void found.line.socket.destroy();
    // Connections are entered one after the other: the time-outs of those before this one would add up.
    const limit = setTimeout(cut, this.responseTimeoutMs);
    try {
      await this.#enter(found);
    } catch (error) {
      cut();
      throw error;
    } finally {
      clearTimeout(limit);
    }
    return found.line;
  }

  /**
   * Connects to the primary for a client that writes nothing, or brings the schema up to date and then calls `enter`. Throws
   * StoreRefused for an unsuitable server.
   */
  async inspect(config?: ClientConfig): Promise<{ client: Client; enter(): Promise<void> }> {
    const found = await this.#find(config, checkServer);
    return { client: found.line.client, enter: () => this.#enter(found) };
  }

  /** Begins a new round after the one of a connection whose transaction went to another server. */
  changeOver(from: number): void {
    if (from === this.round) this.round += 1;
  }

  /** Remembers a transaction that a connection has committed. */
  acknowledge(transaction: string | null | undefined, { timeline }: PrimaryLine): void {
    if (transaction && timeline !== undefined) this.#fence.acknowledge(transaction, timeline);
  }

  /**
   * Looks for another primary while connections are silent, until the end of the returned function is called: the network
   * does not tell of a server without power. `isSilent` returns whether no response has come since its last call.
   */
  watch(isSilent: () => boolean): () => void {
    this.#silences.add(isSilent);
    if (this.#configs.length > 1) this.#watch ??= setInterval(() => void this.#look(), SILENCE).unref();
    return () => {
      this.#silences.delete(isSilent);
      if (this.#silences.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    };
  }

  async #look(): Promise<void> {
    const silent = [...this.#silences].filter((isSilent) => isSilent());
    if (silent.length === 0 || this.#isLooking) return;
    this.#isLooking = true;
    // Entering a server of a later timeline cuts the connections to the former one.
    await this.connect().then(
      (line) => hangUp(line, 0).catch(() => undefined),
      () => undefined,
    );
    this.#isLooking = false;
  }

  async #enter({ line, name, identity }: Candidate): Promise<void> {
    if (isPrimary(identity) && !this.#isInspection) await this.#fence.enter(line, identity, name);
    this.#lines.add(line);
    line.client.once('end', () => this.#lines.delete(line));
    for (const former of this.#lines) {
      if (former.timeline !== undefined && former.timeline < (this.#fence.timeline ?? 0))
        former.socket.destroy();
    }
  }

  /** Connects to all servers, and keeps the connection to the primary. */
  async #find(config?: ClientConfig, check?: typeof checkServer): Promise<Candidate> {
    const found: Candidate[] = [];
    const failures: { name: string; error: unknown }[] = [];
    let isOver = false;
    let goOn = (): void => undefined;
    const enough = new Promise<void>((resolve) => (goOn = resolve));
    let waiting: NodeJS.Timeout | undefined;
    const attempts = this.#configs.map(async (host) => {
      const one = await this.#attempt({ ...host, ...config }, check, failures);
      if (one === undefined) return;
      if (isOver) return void hangUp(one.line, 0).catch(() => undefined);
      found.push(one);
      if (this.#fence.timeline !== undefined) waiting ??= setTimeout(goOn, OTHERS_WAIT);
    });
    await Promise.race([Promise.all(attempts), enough]);
    isOver = true;
    clearTimeout(waiting);
    const [best, ...others] = found.sort((a, b) => rank(b.identity) - rank(a.identity));
    for (const { line } of others) hangUp(line, 0).catch(() => undefined);
    if (best === undefined) throw noPrimary(failures);
    return best;
  }

  /** Connects to a server; undefined where it is not the primary, whose reason goes to `failures`. */
  async #attempt(
    config: ClientConfig,
    check: typeof checkServer | undefined,
    failures: { name: string; error: unknown }[],
  ): Promise<Candidate | undefined> {
    const line: PrimaryLine = { ...newLine(config), timeline: undefined, guard: '' };
    const { client, socket } = line;
    const name = `${client.host}:${client.port}`;
    try {
      await client.connect();
      await check?.(client);
      const identity = await identify(client);
      if (identity.isStandby) throw new StoreUnavailable('PostgreSQL: the server is a standby');
      this.#fence.refuse(identity);
      line.timeline = identity.timeline;
      if (!identity.isFixed) line.guard = onlyOn(identity);
      return { line, name, identity };
    } catch (error) {
      socket.destroy();
      failures.push({ name, error });
      return undefined;
    }
  }
}

/** The later the timeline, the better; of two, one that takes writes. */
const rank = ({ isReadOnly, timeline = 0 }: Identity): number => timeline * 2 + (isReadOnly ? 0 : 1);

function noPrimary(failures: readonly { name: string; error: unknown }[]): unknown {
  if (failures.length === 1) return failures[0].error;
  const reasons = failures.map(({ name, error }) => `${name}: ${reasonOf(error)}`);
  const message = `none of the servers can be used: ${reasons.join('; ')}`;
  return failures.every(({ error }) => error instanceof StoreRefused)
    ? new StoreRefused(message)
    : new StoreUnavailable(message, false, { cause: failures.map(({ error }) => error).find(isFull) });
}
