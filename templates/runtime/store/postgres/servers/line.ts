import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { storeError } from './errors';

/** Maximum time of a server to end an idle connection, in ms. */
const GOODBYE = 1_000;

/** A connection and its socket, which can be cut where the server does not respond. */
export interface Line {
  client: Client;
  socket: Socket;
}

/** Creates a line that is not connected yet. Its errors end nothing but itself. */
export function newLine(config: ClientConfig): Line {
  const socket = new Socket();
  const client = new Client({ ...config, stream: () => socket });
  // Without this the process would end with the connection.
  client.on('error', () => undefined);
  guardReading(client);
  return { client, socket };
}

/** The part of `pg` that reads the messages of a stream; it is not public, and a later `pg` may lack it. */
interface Reading {
  connection: { attachListeners?(stream: Pick<Socket, 'on'>): void };
}

/**
 * Ends a connection with a message that `pg` cannot read, such as the demand for an authentication that it does not have (GSSAPI,
 * SSPI). It throws in a listener of the stream, which would end the process.
 */
function guardReading(client: Client): void {
  const { connection } = client as Client & Reading;
  const attach = connection.attachListeners?.bind(connection);
  if (attach === undefined) return;
  connection.attachListeners = (stream) => {
    const on = (event: string, listener: (...values: unknown[]) => void): unknown =>
      stream.on(event, (...values: unknown[]) => {
        try {
          listener(...values);
        } catch (error) {
          (stream as Socket).destroy(error as Error);
        }
      });
    attach({ on } as Pick<Socket, 'on'>);
  };
}

/**
 * Sends the queries of an action in one piece. A process that is suspended between those of a transaction would hold up all others
 * until the server gives it up.
 */
export function inOnePiece<T>({ client }: Line, action: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return action();
  } finally {
    stream.uncork();
  }
}

/** Ends a connection after its pending queries, and cuts it when the server does not end it. */
export async function hangUp({ client, socket }: Line, underWay: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = (): void => void (timer = setTimeout(() => socket.destroy(), GOODBYE));
  if (underWay === 0) limit();
  else client.once('drain', limit);
  await client.end().finally(() => clearTimeout(timer));
}

/**
 * Runs an action on a connection of its own and ends that: a transaction that is still open is undone. Throws what `storeError`
 * returns for the error of either.
 */
export async function withClient<C extends { client: Client }, T>(
  connecting: Promise<C>,
  action: (connection: C) => Promise<T>,
): Promise<T> {
  let client: Client | undefined;
  try {
    const connection = await connecting;
    client = connection.client;
    return await action(connection);
  } catch (error) {
    throw storeError(error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}
