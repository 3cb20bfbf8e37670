import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { Declared } from '../../command';
import { StoreBusy } from '../../retry-busy';
import { StoreUnavailable } from '../../store';
import { CURRENT_SCHEMA, sameDeclarations } from '../schema/current-schema';
import { abandonedAfter, BEGIN, DURABLE, MARK } from '../servers/durable';
import {
  isConnectionLoss,
  isFull,
  isOtherServer,
  isReadOnly,
  isTermination,
  isUnprepared,
  storeError,
} from '../servers/errors';
import { hangUp, inOnePiece } from '../servers/line';
import { FULL_PAUSE, type PostgresServers, type PrimaryLine } from '../servers/servers';

/** A query; one with a name is prepared once for each connection, where a connection is a session of the server. */
export interface PostgresQuery {
  name?: string;
  text: string;
  values: unknown[];
  /** Of the connections when ids were read that the values have. */
  generation?: number;
  /** The kinds whose resources it writes. */
  kinds?: readonly string[];
}

/** Maximum wait of a statement for a lock before it is retried, in ms: others wait behind it on its connection. */
const LOCK_WAIT = 100;

const AS_ALWAYS = `; ${MARK}; SET LOCAL lock_timeout = ${LOCK_WAIT}; ${DURABLE}; ${CURRENT_SCHEMA}`;

/** The transaction that is about to be committed: after a failover, the new server is asked for it. */
const TRANSACTION = {
  name: 'transaction',
  text: 'SELECT pg_current_xact_id_if_assigned()::text AS transaction',
  values: [],
};

interface TransactionRow {
  transaction: string | null;
}

interface Connection {
  line: Promise<PrimaryLine>;
  /** The line, once it is connected. */
  connected?: PrimaryLine;
  underWay: number;
  /** The round of the servers in which it was made. */
  round: number;
  /** Number of bytes that had come when it was last asked for its silence. */
  heard: number;
}

/**
 * A pool of shared connections: queries are pipelined, so that none waits for the result of another. A lost connection
 * is reopened on next use.
 */
export class PostgresConnections {
  readonly #connections: (Connection | undefined)[];
  #closed = false;
  /** Cleared when a prepared statement is missing: a pooler switches sessions between transactions. */
  #prepares = true;
  /** Until then the connections that there are do all the work, if there are any. */
  #fullUntil = 0;
  #declared: Declared;
  readonly #unwatch: () => void;

  constructor(
    private readonly servers: PostgresServers,
    count: number,
    private readonly onCondition: (condition: 'pooled' | 'full') => void = () => undefined,
  ) {
    this.#connections = Array.from({ length: count });
    this.#unwatch = servers.watch(() => this.#isSilent());
  }

  /** Changes when another server has taken over, which need not have the ids that were read before. */
  get generation(): number {
    return this.servers.generation;
  }

  /**
   * Returns the rows of a query that may be repeated: it is, while the connections are found to be lost, one by one. Where
   * they are lost by silence, it is repeated once: a client must not wait for all of them in turn.
   */
  async read<R extends QueryResultRow>(query: PostgresQuery): Promise<R[]> {
    const until = performance.now() + this.servers.responseTimeoutMs;
    for (let lost = 0; ; lost++) {
      try {
        return await this.#send(query.generation, async ({ client }) => {
          return (await client.query<R>(this.#prepared(query))).rows;
        });
      } catch (error) {
        const isEarly = lost === 0 || performance.now() < until;
        const isRepeatable = isConnectionLoss(error) && isEarly && lost < this.#connections.length;
        if (error instanceof StoreUnavailable || !isRepeatable) throw storeError(error);
      }
    }
  }

  /**
   * Returns the rows of a statement that writes, in a durable transaction of its own. Throws StoreBusy and
   * StoreUnavailable.
   */
  async write<R extends QueryResultRow>(query: PostgresQuery): Promise<R[]> {
    return (await this.writeAll<R>([query]))[0];
  }

  /**
   * Returns the rows of several statements in one durable transaction, which is rolled back on errors. Throws as
   * `write` does.
   */
  async writeAll<R extends QueryResultRow>(
    queries: readonly PostgresQuery[],
    end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
  ): Promise<R[][]> {
    try {
      return await this.#send(queries[0].generation, (line) => this.#transact<R>(line, queries, end));
    } catch (error) {
      throw storeError(error, end === 'COMMIT');
    }
  }

  /** Sets the digests of the process: writes of kinds of which the database has others are refused. */
  declare(declared: Declared): void {
    this.#declared = declared;
  }

  /** Ends the connections after the queries under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatch();
    const endings = this.#connections.map((connection) =>
      connection?.line.then((line) => hangUp(line, connection.underWay)).catch(() => undefined),
    );
    await Promise.all(endings);
  }

  /** Runs an action on a line; `generation` is that of the ids it has, if any. */
  async #send<T>(generation: number | undefined, run: (line: PrimaryLine) => Promise<T>): Promise<T> {
    const connection = this.#choose();
    connection.underWay += 1;
    try {
      const line = await connection.line;
      if (generation !== undefined && generation !== this.generation)
        throw new StoreBusy('another server has taken over');
      return await run(line);
    } catch (error) {
      if (isConnectionLoss(error)) this.#forget(connection);
      if (isReadOnly(error)) this.#replace(connection);
      if (isOtherServer(error)) this.servers.changeOver(connection.round);
      if (!this.#mayRepeat(error, connection)) throw error;
    } finally {
      connection.underWay -= 1;
    }
    return this.#send(generation, run);
  }

  /** Returns whether a statement that was not run can be run otherwise, and notes how. */
  #mayRepeat(error: unknown, { connected }: Connection): boolean {
    if (isUnprepared(error)) {
      if (this.#prepares) this.onCondition('pooled');
      this.#prepares = false;
      return true;
    }
    if (connected !== undefined || !isFull(error)) return false;
    this.#fullUntil = performance.now() + FULL_PAUSE;
    const hasOthers = this.#connections.some((other) => other !== undefined);
    if (hasOthers) this.onCondition('full');
    return hasOthers;
  }

  /** Returns the connection with the fewest pending queries, opened if necessary and possible. */
  #choose(): Connection {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    const ofNew = performance.now() < this.#fullUntil ? Infinity : 0;
    const load = (index: number): number => this.#connections[index]?.underWay ?? ofNew;
    let least = 0;
    for (let index = 1; index < this.#connections.length; index++)
      if (load(index) < load(least)) least = index;
    const chosen = this.#connections[least];
    if (chosen !== undefined && chosen.round !== this.servers.round) this.#replace(chosen);
    return (this.#connections[least] ??= this.#connect());
  }

  #connect(): Connection {
    const connection: Connection = {
      line: open(this.servers),
      underWay: 0,
      round: this.servers.round,
      heard: 0,
    };
    const forget = (): void => void this.#forget(connection);
    connection.line.then((line) => {
      connection.connected = line;
      line.client.on('error', forget).on('end', forget);
    }, forget);
    return connection;
  }

  /** Runs statements in a transaction, all sent at once. Throws the first error. */
  async #transact<R extends QueryResultRow>(
    line: PrimaryLine,
    queries: readonly PostgresQuery[],
    end: 'COMMIT' | 'ROLLBACK',
  ): Promise<R[][]> {
    const { client } = line;
    const kinds = queries.flatMap((query) => query.kinds ?? []);
    const limits = `${AS_ALWAYS}; ${abandonedAfter(this.servers.responseTimeoutMs)}`;
    const begin = `${BEGIN}; ${line.guard}${limits}${sameDeclarations(this.#declared, kinds)}`;
    const { results, asked, parts } = inOnePiece(line, () => {
      const begun = client.query(begin);
      const results = queries.map((query) => client.query<R>(this.#prepared(query)));
      const asked = end === 'COMMIT' ? [client.query<TransactionRow>(this.#prepared(TRANSACTION))] : [];
      // After an error COMMIT is a rollback.
      return { results, asked, parts: [begun, ...results, ...asked, client.query(end)] };
    });
    await Promise.allSettled(parts);
    await Promise.all(parts);
    for (const { rows } of await Promise.all(asked)) this.servers.acknowledge(rows[0].transaction, line);
    return (await Promise.all(results)).map(({ rows }) => rows);
  }

  #prepared(query: PostgresQuery): PostgresQuery {
    return this.#prepares ? named(query) : { ...query, name: undefined };
  }

  /** Returns whether a connection with queries under way has been silent since the last call. */
  #isSilent(): boolean {
    const silent = this.#connections.map((connection) => {
      if (connection?.connected === undefined) return false;
      const { bytesRead } = connection.connected.socket;
      const isSilent = connection.underWay > 0 && bytesRead === connection.heard;
      connection.heard = bytesRead;
      return isSilent;
    });
    return silent.includes(true);
  }

  #forget(connection: Connection): boolean {
    const index = this.#connections.indexOf(connection);
    if (index >= 0) this.#connections[index] = undefined;
    return index >= 0;
  }

  /** Ends a connection after its pending queries; the next one opens another. */
  #replace(connection: Connection): void {
    if (!this.#forget(connection)) return;
    connection.line.then((line) => hangUp(line, connection.underWay)).catch(() => undefined);
  }
}

/** Names of statements, by their text. */
const names = new Map<string, string>();

/**
 * Returns a query under a name that is unique to its text: where sessions are shared, another release of the service
 * may have prepared a statement of the same purpose.
 */
function named(query: PostgresQuery): PostgresQuery {
  const { name, text } = query;
  if (name === undefined) return query;
  let unique = names.get(text);
  if (unique === undefined) {
    unique = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    names.set(text, unique);
  }
  return { ...query, name: unique };
}

async function open(servers: PostgresServers): Promise<PrimaryLine> {
  try {
    return await servers.connect({ pipeline: true });
  } catch (error) {
    // A termination right after the server accepted the connection is like a later one. Otherwise the server accepts
    // none.
    throw isTermination(error) ? error : storeError(error);
  }
}
