import type { OutgoingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { authorise } from './access';
import type { Call } from './call';
import { linkTo } from './deprecation';
import { listTexts, type TextChunk } from './list-texts';
import { negotiate } from './negotiate';
import { encodeCursor, listParameters } from './query';
import { collectionOf } from './reading';
import { send, sendEmpty, unknownParameter } from './respond';
import { scopeOf } from './scope';
import type { Service } from './service';
import type { ListQuery } from './store/store';

/** How much text is sent at once, in UTF-16 units. */
const CHUNK_LENGTH = 131_072;
/** A page that is longer has no further items, however many were asked for. */
const PAGE_LENGTH = 16_777_216;

/** GET of a collection (endpoint 2): a flat JSON array in order of creation, whole or a page of it. */
export async function list(service: Service, call: Call): Promise<void> {
  const parameters = listParameters(call.query, collectionOf(call), service.settings.MAX_PAGE_SIZE);
  const version = negotiate(call, undefined);
  await authorise(call, 'canList');
  call.warnings.push(...parameters.unknown.slice(0, 10).map(unknownParameter));
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json', Vary: 'Accept' };
  if (service.definition.cacheControl !== '') headers['Cache-Control'] = service.definition.cacheControl;
  if (call.warnings.length > 0) headers['Warning'] = call.warnings;
  const query = { ...parameters, selector: [...parameters.selector, ...scopeOf(call.req)] };
  if (parameters.limit === undefined) {
    const texts = listTexts(service.store, call.kind, { ...query, limit: Infinity }, version);
    await sendAll(call, texts, headers);
  } else {
    await sendPage(service, call, { ...query, limit: parameters.limit }, version, headers);
  }
}

/** One page; the address of the next is in `Link` (RFC 8288). It ends early with the chunk that makes it too long. */
async function sendPage(
  service: Service,
  call: Call,
  query: ListQuery,
  version: string,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  let text = '';
  let next: number | undefined;
  for await (const chunk of listTexts(service.store, call.kind, query, version)) {
    text += (text === '' ? '' : ',') + chunk.joined;
    next = chunk.next;
    if (text.length > PAGE_LENGTH) break;
  }
  // What is said of a deprecated version stays beside it.
  if (next !== undefined) call.res.appendHeader('Link', linkTo(nextPage(call, next), 'next'));
  send(call.req, call.res, 200, headers, `[${text}]`);
}

function nextPage(call: Call, after: number): string {
  const [path] = call.req.originalUrl.split('?', 1);
  const kept = call.query.split('&').filter((part) => part !== '' && !part.startsWith('continue='));
  const query = [...kept, `continue=${encodeCursor(collectionOf(call), after)}`].join('&');
  return `${path}?${query}`;
}

/** The whole collection. A short one is sent as it is; a long one as it is read. */
async function sendAll(
  { req, res }: Call,
  texts: AsyncGenerator<TextChunk, void, void>,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  let text = '';
  let separator = '[';
  for await (const { joined } of texts) {
    text += separator + joined;
    separator = ',';
    if (text.length < CHUNK_LENGTH) continue;
    if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
    if (!res.headersSent) res.writeHead(200, { ...headers, 'X-Content-Type-Options': 'nosniff' });
    if (res.destroyed) return;
    if (!res.write(text)) await flowing(res);
    text = '';
  }
  text += separator === '[' ? '[]' : ']';
  if (res.headersSent) res.end(text);
  else send(req, res, 200, headers, text);
}

/** Resolves when the client has taken what was written, or is gone. */
function flowing(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
