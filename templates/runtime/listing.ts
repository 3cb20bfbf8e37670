import type { OutgoingHttpHeaders } from 'node:http';
import { authorise } from './access';
import type { Call } from './call';
import { linkTo } from './deprecation';
import { sendArray } from './json-array';
import { collectionOf } from './kind';
import { PAGE_LENGTH } from './list-rows';
import { listTexts } from './list-texts';
import { negotiate } from './negotiate';
import { encodeCursor, listParameters, withoutParameter } from './query';
import { send, unknownParameters } from './respond';
import { scopeOf } from './scope';
import type { Service } from './service';
import type { ListQuery } from './store/store';

/** GET of a collection (endpoint 2): a flat JSON array in order of creation, whole or a page of it. */
export async function list(service: Service, call: Call): Promise<void> {
  const parameters = listParameters(call.query, collectionOf(call.kind), service.settings.MAX_PAGE_SIZE);
  const version = negotiate(call, undefined);
  await authorise(call, 'canList');
  call.warnings.push(...unknownParameters(parameters.unknown));
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json', Vary: 'Accept' };
  if (service.definition.cacheControl !== '') headers['Cache-Control'] = service.definition.cacheControl;
  if (call.warnings.length > 0) headers['Warning'] = call.warnings;
  const query = { ...parameters, selector: [...parameters.selector, ...scopeOf(call.req)] };
  if (parameters.limit === undefined) {
    const texts = listTexts(service.store, call.kind, { ...query, limit: Infinity }, version);
    await sendArray(call, texts, headers);
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
  const kept = withoutParameter(call.query, 'continue');
  // A page has a limit, so that something is kept.
  return `${path}?${kept}&continue=${encodeCursor(collectionOf(call.kind), after)}`;
}
