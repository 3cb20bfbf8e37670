import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';

/** A request that a receiver got. */
export interface Message {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: ResourceEvent;
}

/** A server that webhooks may call. */
export interface Receiver {
  url: string;
  messages: Message[];
  close(): void;
}

const open = new Set<Receiver>();
afterEach(() => open.forEach((receiver) => receiver.close()));

/** Starts a receiver; `response` answers each message, with 204 where it is not given. */
export async function startReceiver(
  response: (res: ServerResponse, message: Message) => void = (res) => res.writeHead(204).end(),
): Promise<Receiver> {
  const messages: Message[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = req;
      const message = { path, headers, body, event: JSON.parse(body) as ResourceEvent };
      messages.push(message);
      response(res, message);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    close() {
      server.closeAllConnections();
      server.close();
      open.delete(receiver);
    },
  };
  open.add(receiver);
  return receiver;
}

/** The names of the resources in what was received. */
export function namesOf({ messages }: Receiver): string[] {
  return messages.map(({ event }) => event.data.resource.spec['name'] as string);
}
