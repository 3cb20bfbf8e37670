import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** How long a server may take to end an idle connection, in ms. */
const GOODBYE = 1_000;

/** A connection and its socket, which can be cut where the server does not answer. */
export interface Line {
  client: Client;
  socket: Socket;
}

/** Makes one that is not connected yet. */
export function newLine(config: ClientConfig): Line {
  const socket = new Socket();
  return { client: new Client({ ...config, stream: () => socket }), socket };
}

/** Ends a connection after the queries under way, and cuts it when the server does not take leave. */
export async function hangUp({ client, socket }: Line, underWay: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = (): void => void (timer = setTimeout(() => socket.destroy(), GOODBYE));
  if (underWay === 0) limit();
  else client.once('drain', limit);
  await client.end().finally(() => clearTimeout(timer));
}
