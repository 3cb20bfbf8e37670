import type { Client, ClientConfig } from 'pg';
import { hangUp, newLine, type Line } from './postgres-line';

/** The channel of a schema: names of schemas may be longer than those of channels. */
const CHANNEL = "'svcgen_' || md5(current_schema)";

/** Tells every process that listens to the same schema. */
export const NOTIFY = `SELECT pg_notify(${CHANNEL}, '')`;

/** Listens to the other processes, on a connection of its own that is made anew when it is lost. */
export class PostgresListener {
  #line: Line | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly config: ClientConfig,
    private readonly onNotification: () => void,
  ) {}

  /** Begins to listen, if it does not yet; `retryMs` is the time between two attempts. */
  listen(retryMs: number): void {
    if (this.#line !== undefined || this.#closed) return;
    const line = (this.#line = newLine(this.config));
    const { client, socket } = line;
    const lost = (): void => {
      if (this.#line !== line) return;
      this.#line = undefined;
      // One that has not answered in time is still open.
      socket.destroy();
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.listen(retryMs), retryMs).unref();
    };
    client.on('error', lost).on('end', lost).on('notification', this.onNotification);
    subscribe(client).then(this.onNotification, lost);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    if (this.#line !== undefined) await hangUp(this.#line, 0).catch(() => undefined);
  }
}

async function subscribe(client: Client): Promise<void> {
  await client.connect();
  const { rows } = await client.query<{ channel: string }>(`SELECT ${CHANNEL} AS channel`);
  await client.query(`LISTEN ${client.escapeIdentifier(rows[0].channel)}`);
}
