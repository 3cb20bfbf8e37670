import { once } from 'node:events';
import {
  Agent,
  request,
  type ClientRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import { connect } from 'node:net';
import type { Resource } from '../../templates/runtime/resource';

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** What a test sends: a body that is no text and no bytes is sent as JSON. */
export interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: unknown;
  /** On a connection of its own: one that is kept may be closed by the other side just now. */
  alone?: boolean;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
export const SHORTHAND_PATCH = { 'Content-Type': 'application/shorthand-patch+json' };
export const PATCH_FORMATS = [MERGE, JSON_PATCH, SHORTHAND_PATCH];

const agent = new Agent({ keepAlive: true, maxSockets: 250 });
afterAll(() => agent.destroy());

/** One request to a port of this machine. Nothing is added to it: fetch sends Cache-Control with conditions. */
export function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body, alone = false }: Sent = {},
): Promise<Answer> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const sent = { ...headers, ...(bytes !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }) };
  const call = request({ port, method, path, headers: sent, agent: alone ? false : agent });
  call.end(bytes);
  return answerOf(call);
}

function answerOf(call: ClientRequest): Promise<Answer> {
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
  answer: Promise<Answer>;
}

/** One request on a connection of its own, as `send` sends it; it asks to be told when it has arrived (RFC 9110, section 10.1.1). */
export function begin(port: number, method: string, path: string, { headers = {}, body }: Sent): UnderWay {
  const bytes = JSON.stringify(body);
  const sent = { ...headers, Expect: '100-continue', 'Content-Length': Buffer.byteLength(bytes) };
  const call = request({ port, method, path, headers: sent, agent: false });
  call.once('continue', () => call.end(bytes));
  return { arrived: once(call, 'continue'), answer: answerOf(call) };
}

/** Writes bytes to a new connection, and gives all that comes back until it is closed or `patience` ms are over. */
export function sendRaw(port: number, bytes: string | Buffer, patience = 60_000): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });
}

/** The statuses of all answers in what `sendRaw` gives. */
export function statuses(raw: string): number[] {
  return [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Creates a resource in a collection and gives its address and itself. */
export async function create(
  port: number,
  collection: string,
  spec: object,
  metadata?: object,
): Promise<{ path: string; resource: Resource; etag: string }> {
  const answer = await send(port, 'POST', collection, { headers: JSON_TYPE, body: { spec, metadata } });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return {
    path: answer.headers.location!,
    resource: JSON.parse(answer.text) as Resource,
    etag: answer.headers.etag!,
  };
}

/** The `errors` of a problem answer as `pointer rule`. */
export function failures({ text }: Answer): string[] {
  const { errors = [] } = JSON.parse(text) as { errors?: { pointer: string; rule: string }[] };
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
}
