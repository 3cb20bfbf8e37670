import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { connect } from 'node:net';
import type { Resource } from '../../../templates/runtime/model/resource';

/** A response as it came. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Headers and body of a request: a body that is no string and no bytes is sent as JSON. */
export interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: unknown;
  /** On a connection of its own: one that is kept may be closed by the other side just now. */
  alone?: boolean;
  /** Holds the connections that it may go over; instead of those that all requests share. */
  agent?: Agent;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
export const SHORTHAND_PATCH = { 'Content-Type': 'application/shorthand-patch+json' };
export const PATCH_FORMATS = [MERGE, JSON_PATCH, SHORTHAND_PATCH];

const shared = new Agent({ keepAlive: true, maxSockets: 250 });
afterAll(() => shared.destroy());

/** One request to a port of this machine. Nothing is added to it: fetch sends Cache-Control with conditions. */
export function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body, alone = false, agent = shared }: Sent = {},
): Promise<HttpResponse> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const sent = { ...headers, ...(bytes !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }) };
  const call = request({ port, method, path, headers: sent, agent: alone ? false : agent });
  call.end(bytes);
  return responseOf(call);
}

function responseOf(call: ClientRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    call.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      res.on('end', () => {
        resolve({ status: res.statusCode!, headers: res.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    call.on('error', reject);
  });
}

/** A request that the server has begun to read. */
export interface UnderWay {
  /** Resolves when the server has its head. Its body follows then. */
  arrived: Promise<unknown>;
  response: Promise<HttpResponse>;
}

/** One request on a connection of its own, as `send` sends it; it asks for a notice when it has arrived (RFC 9110, section 10.1.1). */
export function begin(port: number, method: string, path: string, { headers = {}, body }: Sent): UnderWay {
  const bytes = JSON.stringify(body);
  const sent = { ...headers, Expect: '100-continue', 'Content-Length': Buffer.byteLength(bytes) };
  const call = request({ port, method, path, headers: sent, agent: false });
  call.once('continue', () => call.end(bytes));
  return { arrived: once(call, 'continue'), response: responseOf(call) };
}

/**
 * Writes bytes to a new connection and returns all that comes back until it is closed, or until `patience` is over: ms, or
 * a promise made when they are written.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  patience: number | (() => Promise<unknown>) = 60_000,
): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (): unknown => socket.destroy();
    const written = (): void => {
      if (typeof patience === 'function') void patience().then(end, end);
    };
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes, written));
    const timer = typeof patience === 'number' ? setTimeout(end, patience) : undefined;
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });
}

/** Returns the statuses of all responses in a result of `sendRaw`. */
export function statuses(raw: string): number[] {
  return [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Creates a resource in a collection and returns its path and itself. */
export async function create(
  port: number,
  collection: string,
  spec: object,
  metadata?: object,
): Promise<{ path: string; resource: Resource; etag: string }> {
  const response = await send(port, 'POST', collection, { headers: JSON_TYPE, body: { spec, metadata } });
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
  return {
    path: response.headers.location!,
    resource: JSON.parse(response.text) as Resource,
    etag: response.headers.etag!,
  };
}

/** The `errors` of a problem response as `pointer rule`. */
export function failures({ text }: HttpResponse): string[] {
  const { errors = [] } = JSON.parse(text) as { errors?: { pointer: string; rule: string }[] };
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
}
