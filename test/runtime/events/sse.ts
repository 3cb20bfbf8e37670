import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';

/** One event of a stream. */
export interface Received {
  id: string;
  event: ResourceEvent;
}

/** A client of Server-Sent Events, as the HTML standard reads them. */
export interface Stream {
  status: number;
  headers: IncomingHttpHeaders;
  received: Received[];
  comments: string[];
  /** The last id seen, with or without data. */
  lastId: string;
  /** The text of an answer that is no stream. */
  text: string;
  /** Stops and goes on taking what comes. */
  response: IncomingMessage;
  close(): void;
  ended: Promise<void>;
}

const open = new Set<Stream>();
afterEach(() => open.forEach((stream) => stream.close()));

/** Opens a stream; resolves when its head and its first block are there. */
export function openStream(
  port: number,
  path = '/events',
  headers: { [name: string]: string } = {},
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const call = request({ port, path, headers, agent: false }, (response) => {
      const stream: Stream = {
        status: response.statusCode!,
        headers: response.headers,
        received: [],
        comments: [],
        lastId: '',
        text: '',
        response,
        close: () => call.destroy(),
        ended: new Promise((end) => response.on('close', end)),
      };
      open.add(stream);
      response.setEncoding('utf8').on('data', (text: string) => {
        stream.text += text;
        if (stream.status === 200) readBlocks(stream);
        resolve(stream);
      });
      response.on('error', () => undefined).on('end', () => resolve(stream));
    });
    call.on('error', reject);
    call.end();
  });
}

function readBlocks(stream: Stream): void {
  const blocks = stream.text.split('\n\n');
  stream.text = blocks.pop()!;
  for (const block of blocks) {
    let data: string | undefined;
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) stream.comments.push(line);
      const [, field, value] = /^(\w+): (.*)$/s.exec(line) ?? [];
      if (field === 'id') stream.lastId = value;
      if (field === 'data') data = value;
    }
    if (data !== undefined) {
      stream.received.push({ id: stream.lastId, event: JSON.parse(data) as ResourceEvent });
    }
  }
}

/** The names of the resources in what was received. */
export function names({ received }: Stream): string[] {
  return received.map(({ event }) => event.data.resource.spec['name'] as string);
}
