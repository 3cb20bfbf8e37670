import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { Resource } from '../../templates/runtime/resource';

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** What is sent beside method and path; a body is sent as JSON. */
export interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
export const SHORTHAND_PATCH = { 'Content-Type': 'application/shorthand-patch+json' };

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

/** One request to a port of this machine. Rejects when there is no answer. */
export function send(port: number, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const bytes = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const headers = {
    ...sent.headers,
    ...(bytes !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }),
  };
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode!, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    call.on('error', (cause) => reject(new Error(`${method} ${path}: ${cause.message}`, { cause })));
    call.end(bytes);
  });
}

/** The resource in an answer. */
export const resourceOf = ({ text }: Answer): Resource => JSON.parse(text) as Resource;

/** Creates a device; gives its answer. Throws when that is not 201. */
export async function createDevice(port: number, name: string, labels?: object): Promise<Answer> {
  const body = { metadata: { name, labels }, spec: { name } };
  const answer = await send(port, 'POST', '/devices', { headers: JSON_TYPE, body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
