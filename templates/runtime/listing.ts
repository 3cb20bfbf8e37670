import type { OutgoingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { authorise } from './access';
import type { Call } from './call';
import { listRows } from './list-rows';
import { negotiate } from './negotiate';
import { encodeCursor, listParameters, type ListParameters } from './query';
import { collectionOf } from './reading';
import { represent } from './representation';
import { send, sendEmpty, unknownParameter } from './respond';
import { scopeOf } from './scope';
import type { Service } from './service';
import type { StoredResource } from './store/store';

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
  const texts = (rows: StoredResource[]): string =>
    rows.map((row) => represent(call.kind, row, version).text).join(',');
  if (parameters.limit === undefined) await sendAll(service, call, parameters, headers, texts);
  else await sendPage(service, call, parameters, headers, texts);
}

type Texts = (rows: StoredResource[]) => string;
type Chunks = AsyncGenerator<StoredResource[], void, void>;

function chunksOf(service: Service, call: Call, { after, selector }: ListParameters, limit: number): Chunks {
  const query = { after, limit, selector: [...selector, ...scopeOf(call.req)] };
  return listRows(service.store, collectionOf(call), query);
}

/** One page; the address of the next is in `Link` (RFC 8288). One row more than asked tells whether there is one. */
async function sendPage(
  service: Service,
  call: Call,
  parameters: ListParameters,
  headers: OutgoingHttpHeaders,
  texts: Texts,
): Promise<void> {
  const { limit = 0 } = parameters;
  const page: StoredResource[] = [];
  let length = 0;
  let more = false;
  for await (const rows of chunksOf(service, call, parameters, limit + 1)) {
    for (const row of rows) {
      more = page.length === limit || length > PAGE_LENGTH;
      if (more) break;
      page.push(row);
      length += row.text.length;
    }
    if (more) break;
  }
  if (more) headers['Link'] = `<${nextPage(call, page.at(-1)!.id)}>; rel="next"`;
  send(call.req, call.res, 200, headers, `[${texts(page)}]`);
}

function nextPage(call: Call, after: number): string {
  const [path] = call.req.originalUrl.split('?', 1);
  const kept = call.query.split('&').filter((part) => part !== '' && !part.startsWith('continue='));
  const query = [...kept, `continue=${encodeCursor(collectionOf(call), after)}`].join('&');
  // What would end the address within `<…>` is let through by Node's parser.
  return `${path}?${query}`.replace(/[<>"]/g, encodeURIComponent);
}

/** The whole collection. A short one is sent as it is; a long one as it is read. */
async function sendAll(
  service: Service,
  call: Call,
  parameters: ListParameters,
  headers: OutgoingHttpHeaders,
  texts: Texts,
): Promise<void> {
  const { req, res } = call;
  let text = '';
  let separator = '[';
  for await (const rows of chunksOf(service, call, parameters, Infinity)) {
    text += separator + texts(rows);
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
