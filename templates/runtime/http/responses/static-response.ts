import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { evaluateConditions } from '../headers/conditional';
import type { Page } from './page';
import { sendEmpty, writeHead } from './respond';

const compress = promisify(gzip);
/** Minimum length in bytes: below it compression saves no packet. */
const WORTH_COMPRESSING = 1_400;

/** A response that is the same for everybody as long as the process lives. */
export interface StaticResponse {
  body: Buffer;
  headers: { [name: string]: string };
  etag: string;
  /** Compresses the body when the first client asks for it; undefined for a body that does not get smaller. */
  zipped: (() => Promise<Buffer>) | undefined;
}

/** Makes a response of this content type, with further headers such as a Content-Security-Policy. */
export function staticResponse(
  type: string,
  content: string | Buffer,
  headers: { [name: string]: string } = {},
): StaticResponse {
  const body = Buffer.from(content);
  const compressible = !type.startsWith('image/') && body.length >= WORTH_COMPRESSING;
  return {
    body,
    headers: { 'Content-Type': type, ...headers },
    // A weak tag, because the compressed form has the same.
    etag: `W/"${hash('sha256', body, 'hex')}"`,
    zipped: compressible ? once(() => compress(body)) : undefined,
  };
}

/** Makes a response of JSON. */
export function jsonResponse(value: object, headers?: { [name: string]: string }): StaticResponse {
  return staticResponse('application/json', JSON.stringify(value), headers);
}

/** Sends the response, compressed where the client accepts that; sends 304 to a client that has it. */
export async function sendStatic(req: Request, res: Response, answer: StaticResponse): Promise<void> {
  const { body, etag, zipped } = answer;
  const headers: { [name: string]: string | number } = {
    'Cache-Control': 'no-cache',
    ...answer.headers,
    ETag: etag,
  };
  if (zipped !== undefined)
    headers['Vary'] = [answer.headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  if (evaluateConditions(req, { etag }) === 304) {
    sendEmpty(res, 304, headers);
    return;
  }
  const isZipped = zipped !== undefined && req.acceptsEncodings('gzip') !== false;
  if (isZipped) headers['Content-Encoding'] = 'gzip';
  const content = isZipped ? await zipped() : body;
  headers['Content-Length'] = content.length;
  writeHead(res, 200, headers);
  res.end(req.method === 'HEAD' ? undefined : content);
}

/** Returns pages that always respond the same, by path. Each response is made on its first request. */
export function staticPages(pages: { [path: string]: () => StaticResponse | Promise<StaticResponse> }): {
  [path: string]: Page;
} {
  return Object.fromEntries(
    Object.entries(pages).map(([path, make]) => {
      const made = once(make);
      return [path, async (req, res) => sendStatic(req, res, await made())] satisfies [string, Page];
    }),
  );
}

/** Runs a function at its first call and gives every later one the same result, unless it is a promise that was rejected. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const { value } = (made = { value: make() });
    if (value instanceof Promise) value.catch(() => (made = undefined));
    return value;
  };
}
