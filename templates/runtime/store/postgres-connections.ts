import { Client, types, type ClientConfig, type QueryResultRow } from 'pg';
import { isConnectionLoss, isTermination, storeError } from './postgres-errors';
import { hangUp, newLine, type Line } from './postgres-line';
import { StoreRefused, StoreUnavailable } from './store';

/** A query; one with a name is prepared once for each connection. */
export interface PostgresQuery {
  name?: string;
  text: string;
  values: unknown[];
}

/** How long the server may take, in ms. */
export interface PostgresTimeouts {
  /** To accept a connection. */
  connectTimeoutMs: number;
  /** To answer a query; the connection is given up then. */
  answerTimeoutMs: number;
}

const INT8 = types.builtins.INT8;

/** The configuration of one connection. Ids are integers that JavaScript has exactly. Throws StoreRefused for a URL that is none. */
export function clientConfig(
  url: string,
  { connectTimeoutMs, answerTimeoutMs }: PostgresTimeouts,
): ClientConfig {
  refuseUnreadable(url);
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    fallback_application_name: 'svcgen',
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
}

/** What of a URL `pg` cannot read shows when a client is made, before anything is sent. */
function refuseUnreadable(url: string): void {
  try {
    void new Client(url);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const isNoUrl = error instanceof URIError || code === 'ERR_INVALID_URL';
    const reason = isNoUrl
      ? 'it is no URL; a %, @, : or / in a user, a password or a name is written %25, %40, %3A or %2F'
      : message;
    throw new StoreRefused(`DATABASE_URL cannot be used: ${reason}`);
  }
}

/** Where an operator has made commits faster than durable, the sessions of a store have durable ones. */
export const DURABLE = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

interface Connection {
  line: Line;
  /** Its client, when that is connected. */
  client: Promise<Client>;
  underWay: number;
}

/**
 * Some connections that are shared: queries are pipelined, so that none waits for the answer to another. One that
 * is lost is made anew when it is next needed.
 */
export class PostgresConnections {
  readonly #connections: (Connection | undefined)[];
  #closed = false;

  constructor(
    private readonly config: ClientConfig,
    count: number,
  ) {
    this.#connections = Array.from({ length: count });
  }

  /** The rows of a query that may be repeated: it is while the connections are found to be lost, one by one. */
  async read<R extends QueryResultRow>(query: PostgresQuery): Promise<R[]> {
    for (let lost = 0; ; lost++) {
      try {
        return await this.#send<R>(query);
      } catch (error) {
        const isRepeatable = isConnectionLoss(error) && lost < this.#connections.length;
        if (error instanceof StoreUnavailable || !isRepeatable) throw storeError(error);
      }
    }
  }

  /** The rows of a statement that writes, in a transaction of its own. Throws StoreBusy and StoreUnavailable. */
  async write<R extends QueryResultRow>(query: PostgresQuery): Promise<R[]> {
    try {
      return await this.#send<R>(query);
    } catch (error) {
      throw storeError(error, true);
    }
  }

  /** Ends the connections after the queries under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const endings = this.#connections.map((connection) =>
      connection?.client.then(() => hangUp(connection.line, connection.underWay)).catch(() => undefined),
    );
    await Promise.all(endings);
  }

  async #send<R extends QueryResultRow>(query: PostgresQuery): Promise<R[]> {
    const connection = this.#choose();
    connection.underWay += 1;
    try {
      const client = await connection.client;
      return (await client.query<R>(query)).rows;
    } catch (error) {
      if (isConnectionLoss(error)) this.#forget(connection);
      throw error;
    } finally {
      connection.underWay -= 1;
    }
  }

  /** The connection with the fewest queries under way, made when it is not there. */
  #choose(): Connection {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    let least = 0;
    for (let index = 1; index < this.#connections.length; index++) {
      const load = this.#connections[index]?.underWay ?? 0;
      if (load < (this.#connections[least]?.underWay ?? 0)) least = index;
    }
    return (this.#connections[least] ??= this.#connect());
  }

  #connect(): Connection {
    const line = newLine({ ...this.config, pipeline: true });
    const connection = { line, client: open(line.client), underWay: 0 };
    const forget = (): void => this.#forget(connection);
    // Without these the process would end with the connection.
    line.client.on('error', forget).on('end', forget);
    connection.client.catch(forget);
    return connection;
  }

  #forget(connection: Connection): void {
    const index = this.#connections.indexOf(connection);
    if (index >= 0) this.#connections[index] = undefined;
  }
}

async function open(client: Client): Promise<Client> {
  try {
    await client.connect();
  } catch (error) {
    // One that the server accepted and ended is like one that it ends later. Otherwise it does not take any.
    throw isTermination(error) ? error : storeError(error);
  }
  // What follows is sent behind it; it only fails with the connection.
  client.query(DURABLE).catch(() => undefined);
  return client;
}
