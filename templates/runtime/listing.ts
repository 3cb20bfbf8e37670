import type { OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { authorise } from './access';
import type { Call } from './call';
import { negotiate } from './negotiate';
import { encodeCursor, listParameters, type ListParameters } from './query';
import { collectionOf } from './reading';
import { represent } from './representation';
import { send, sendEmpty, unknownParameter } from './respond';
import { scopeOf } from './scope';
import type { Service } from './service';
import type { StoredResource } from './store/store';

/** How many resources are read at once; between two reads other requests get their turn. */
const CHUNK = 250;

/** GET of a collection (endpoint 2): a flat JSON array in order of creation, whole or a page of it. */
export async function list(service: Service, call: Call): Promise<void> {
  const version = negotiate(call, undefined);
  await authorise(call, 'canList');
  const collection = collectionOf(call);
  const parameters = listParameters(call.query, collection, service.settings.MAX_PAGE_SIZE);
  call.warnings.push(...parameters.unknown.map(unknownParameter));
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json', Vary: 'Accept' };
  if (service.definition.cacheControl !== '') headers['Cache-Control'] = service.definition.cacheControl;
  if (call.warnings.length > 0) headers['Warning'] = call.warnings;
  const texts = (rows: StoredResource[]): string =>
    rows.map((row) => represent(call.kind, row, version).text).join(',');
  if (parameters.limit === undefined) await sendAll(service, call, parameters, headers, texts);
  else await sendPage(service, call, parameters, headers, texts);
}

type Texts = (rows: StoredResource[]) => string;

/** One page; the address of the next is in `Link` (RFC 8288). One row more than asked tells whether there is one. */
async function sendPage(
  service: Service,
  call: Call,
  { limit = 0, after, selector }: ListParameters,
  headers: OutgoingHttpHeaders,
  texts: Texts,
): Promise<void> {
  const { req, res } = call;
  const query = { after, limit: limit + 1, selector: [...selector, ...scopeOf(req)] };
  const rows = await service.store.list(collectionOf(call), query);
  const page = rows.slice(0, limit);
  if (rows.length > limit) headers['Link'] = `<${nextPage(call, page.at(-1)!.id)}>; rel="next"`;
  send(req, res, 200, headers, `[${texts(page)}]`);
}

function nextPage(call: Call, after: number): string {
  const [path] = call.req.originalUrl.split('?', 1);
  const kept = call.query.split('&').filter((part) => part !== '' && !part.startsWith('continue='));
  const query = [...kept, `continue=${encodeCursor(collectionOf(call), after)}`].join('&');
  // What would end the address within `<…>` is let through by Node's parser.
  return `${path}?${query}`.replace(/[<>"]/g, encodeURIComponent);
}

/** The whole collection, read and sent in chunks: memory stays bounded and other requests go on. */
async function sendAll(
  service: Service,
  call: Call,
  { after, selector }: ListParameters,
  headers: OutgoingHttpHeaders,
  texts: Texts,
): Promise<void> {
  const { req, res } = call;
  const collection = collectionOf(call);
  const query = { after, limit: CHUNK, selector: [...selector, ...scopeOf(req)] };
  let rows = await service.store.list(collection, query);
  if (rows.length < CHUNK) return send(req, res, 200, headers, `[${texts(rows)}]`);
  if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
  headers['X-Content-Type-Options'] = 'nosniff';
  res.writeHead(200, headers);
  for (let separator = '['; rows.length > 0 && !res.destroyed; separator = ',') {
    if (!res.write(separator + texts(rows))) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    else await setImmediate();
    query.after = rows.at(-1)!.id;
    rows = rows.length < CHUNK ? [] : await service.store.list(collection, query);
  }
  res.end(']');
}
