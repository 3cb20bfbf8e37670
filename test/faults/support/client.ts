import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { Resource } from '../../../templates/runtime/model/resource';

/** A response as it came. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Headers and body of a request; a body is sent as JSON. */
export interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

/** One request to a port of this machine. Rejects when there is no response. */
export function send(port: number, method: string, path: string, sent: Sent = {}): Promise<HttpResponse> {
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

/** The resource in a response. */
export const resourceOf = ({ text }: HttpResponse): Resource => JSON.parse(text) as Resource;

/** Creates a device and returns the response. Throws when that is not 201. */
export async function createDevice(port: number, name: string, labels?: object): Promise<HttpResponse> {
  const body = { metadata: { name, labels }, spec: { name } };
  const response = await send(port, 'POST', '/devices', { headers: JSON_TYPE, body });
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
  return response;
}
