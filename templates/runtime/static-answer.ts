import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);
/** Below this many bytes compression saves no packet. */
const WORTH_COMPRESSING = 1_400;

/** An answer that is the same for everybody as long as the process lives. */
export interface StaticAnswer {
  body: Buffer;
  headers: { [name: string]: string };
  etag: string;
  /** Made when the first client asks for it; undefined for what does not get smaller. */
  zipped: (() => Promise<Buffer>) | undefined;
}

/** An answer of this content type, with further headers such as a Content-Security-Policy. */
export function staticAnswer(
  type: string,
  content: string | Buffer,
  headers: { [name: string]: string } = {},
): StaticAnswer {
  const body = Buffer.from(content);
  const compressible = !type.startsWith('image/') && body.length >= WORTH_COMPRESSING;
  return {
    body,
    headers: { 'Content-Type': type, ...headers },
    // Weak: the same tag for the compressed form.
    etag: `W/"${createHash('sha256').update(body).digest('hex')}"`,
    zipped: compressible ? once(() => compress(body)) : undefined,
  };
}

/** Sends the answer, compressed where the client takes it; 304 to a client that has it. */
export async function sendStatic(req: Request, res: Response, answer: StaticAnswer): Promise<void> {
  const { body, etag, zipped } = answer;
  const headers: { [name: string]: string | number } = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  };
  if (zipped !== undefined)
    headers['Vary'] = [answer.headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  if (isKnown(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  const isZipped = zipped !== undefined && takesGzip(req.headers['accept-encoding']);
  if (isZipped) headers['Content-Encoding'] = 'gzip';
  const content = isZipped ? await zipped() : body;
  headers['Content-Length'] = content.length;
  res.writeHead(200, headers).end(req.method === 'HEAD' ? undefined : content);
}

/** Runs a function at its first call and gives every later one the same result. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Weak comparison (RFC 9110, section 8.8.3.2): the tag's quoted part is its own, wherever it stands in a list. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.slice('W/'.length)))
  );
}

function takesGzip(acceptEncoding = ''): boolean {
  const [, weight = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding) ?? [, '0'];
  return Number(weight) > 0;
}
