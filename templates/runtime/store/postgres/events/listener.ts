import type { Client } from 'pg';
import { isFull } from '../servers/errors';
import { hangUp, type Line } from '../servers/line';
import { FULL_PAUSE, type PostgresServers } from '../servers/servers';

/** The channel of a schema: names of schemas may be longer than those of channels. */
const CHANNEL = "'svcgen_' || md5(current_schema)";

/** Notifies every process that listens to the same schema. */
export const NOTIFY = `SELECT pg_notify(${CHANNEL}, '')`;

/** Listens to the other processes, on a connection of its own that is reopened when it is lost. */
export class PostgresListener {
  #line: Promise<Line> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly servers: PostgresServers,
    private readonly onNotification: () => void,
  ) {}

  /** Begins to listen, unless it does already; `retryMs` is the time between two attempts. */
  listen(retryMs: number): void {
    if (this.#line !== undefined || this.#closed) return;
    const opening = (this.#line = this.servers.connect());
    const lost = (error?: unknown): void => {
      if (this.#line !== opening) return;
      this.#line = undefined;
      // A socket without a response in time is still open.
      opening.then(({ socket }) => socket.destroy()).catch(() => undefined);
      clearTimeout(this.#retry);
      const pauseMs = isFull(error) ? Math.max(retryMs, FULL_PAUSE) : retryMs;
      this.#retry = setTimeout(() => this.listen(retryMs), pauseMs).unref();
    };
    const subscribed = opening.then(({ client }) => {
      client.on('error', lost).on('end', lost).on('notification', this.onNotification);
      return subscribe(client);
    });
    subscribed.then(this.onNotification, lost);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#line?.then((line) => hangUp(line, 0)).catch(() => undefined);
  }
}

async function subscribe(client: Client): Promise<void> {
  const { rows } = await client.query<{ channel: string }>(`SELECT ${CHANNEL} AS channel`);
  await client.query(`LISTEN ${client.escapeIdentifier(rows[0].channel)}`);
}
