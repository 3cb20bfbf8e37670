import type { OutgoingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { evaluateConditions, isConditional, refuseUnmet } from '../../http/headers/conditional';
import { listParameters, withoutParameter } from '../../http/request/query';
import { linkTo, pathOf } from '../../http/request/request-target';
import { send, sendEmpty, unknownParameters } from '../../http/responses/respond';
import { collectionOf } from '../../model/kinds/kind';
import type { Service } from '../../service/service';
import type { ListQuery, StoredResource } from '../../store/store';
import { authorise, isAsked } from '../request/access';
import { untaggedHeaders } from '../request/caching';
import { scopeOf } from '../request/label-scope';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { type Expansion, expansionOf } from './expansion';
import { type Piece, type Pieces, sendArray } from './json-array';
import { ListMemory } from './list-memory';
import { CHUNK_LENGTH, firstOf, PAGE_LENGTH, pageEnd, placeOf, positionOf } from './list-rows';
import { type ListPosition, selectionOf } from './list-selection';
import { type Listing, listShown, listTexts, type TextChunk } from './list-texts';
import type { RepeatedList } from './repeated-lists';
import { represent } from './representation';

/**
 * GET of a collection (endpoint 2): a flat JSON array in order of creation or of a field, whole or a page of it. Resources that
 * the policy's `canGet` refuses are left out, so that a page may be shorter, even empty, with more to follow.
 */
export async function list(service: Service, context: RequestContext): Promise<void> {
  const parameters = listParameters(context.query, service.settings.MAX_PAGE_SIZE);
  const version = negotiate(context, undefined);
  const selection = selectionOf(service, context.kind, version, parameters);
  const { expand } = parameters;
  const expansion = expand.length > 0 ? expansionOf(service, context, version, expand) : undefined;
  await authorise(context, 'canList');
  context.warnings.push(...unknownParameters(parameters.unknown));
  const headers = untaggedHeaders(service, context, expansion?.kinds);
  const known = expansion === undefined ? service.lists.find(context, version) : undefined;
  if (isUnchanged(context.req, known, headers)) return sendEmpty(context.res, 304, headers);
  if (known?.sent !== undefined) return sendAgain(context, headers, known.sent);
  const { query, revealsContent, cursorAt } = selection;
  const { limit = Infinity } = parameters;
  const asked = { limit, ...query, selector: [...query.selector, ...scopeOf(context.req)] };
  const memory = new ListMemory(service, context.res);
  const page: Page = { service, context, version, memory, cursorAt, expansion };
  let sent: PageSent = {};
  if (limit === Infinity) sent.text = await sendArray(context, textsOf(page, asked), headers, memory);
  else if (isAsked(context, 'canGet') && revealsContent) await sendShownPage(page, asked, headers);
  else sent = await sendPage(page, asked, headers);
  if (known !== undefined && sent.text !== undefined) service.lists.remember(known, sent.text, sent.link);
}

/**
 * Adds the entity tag of a list, and returns whether the request's conditions find it unchanged (RFC 9110, section 13): never
 * where it has no tag. Throws HttpProblem 412.
 */
function isUnchanged(req: Request, list: RepeatedList | undefined, headers: OutgoingHttpHeaders): boolean {
  if (list !== undefined) headers['ETag'] = list.etag;
  if (!isConditional(req)) return false;
  const outcome = evaluateConditions(req, list);
  refuseUnmet(outcome);
  return list !== undefined && outcome === 304;
}

function sendAgain(
  { req, res }: RequestContext,
  headers: OutgoingHttpHeaders,
  { body, next }: NonNullable<RepeatedList['sent']>,
): void {
  // Another header of the name may be of middleware.
  if (next !== undefined) res.appendHeader('Link', next);
  send(req, res, 200, headers, body);
}

/** The list of a request, the cursors of its pages, and what is added to its resources. */
interface Page extends Listing {
  cursorAt(position: ListPosition): string;
  expansion: Expansion | undefined;
}

/** A page that has been sent: its text, unless it was long, and the `Link` to the next one. */
interface PageSent {
  text?: string;
  link?: string;
}

/**
 * Sends one page, with the URL of the next one in `Link` (RFC 8288). A short page is sent at once, and its text returned. The
 * header of a long page needs its end, which is looked for first; then the page is sent as it is read.
 */
async function sendPage(page: Page, query: ListQuery, headers: OutgoingHttpHeaders): Promise<PageSent> {
  const { service, context, memory, expansion } = page;
  const beginning: TextChunk[] = [];
  let [length, left] = [0, query.limit];
  // The length of a page with targets is not known before it is read.
  let next: ListPosition | undefined = expansion && positionOf(query);
  try {
    if (expansion === undefined) {
      for await (const chunk of listTexts(page, query)) {
        beginning.push(chunk);
        length += chunk.length;
        left -= chunk.count;
        next = chunk.next;
        if (length >= CHUNK_LENGTH) break;
      }
    }
    let rest: Pieces | undefined;
    if (next !== undefined && left > 0 && length <= PAGE_LENGTH) {
      const start = { ...query, ...next };
      const end = await pageEnd(service.store, collectionOf(context.kind), { ...start, limit: left }, length);
      rest = end && restOf(page, start, end.last);
      next = end?.follows ? end.last : undefined;
    }
    const link = next && linkNext(context, page.cursorAt(next));
    const pieces = rest === undefined ? beginning : whole(beginning, rest);
    return { link, text: await sendArray(context, pieces, headers, memory) };
  } finally {
    memory.release();
  }
}

/** Returns the texts up to the end of a page. Ids are bounds in the order of creation alone. */
function restOf(page: Page, start: ListQuery, last: ListPosition): Pieces {
  const query = { ...start, limit: Infinity };
  return start.sort === undefined
    ? textsOf(page, { ...query, upTo: last.after })
    : textsOf(page, query, last);
}

/**
 * Sends one page of what is selected or sorted by content, and of which the caller may not get everything. It is as if the
 * others did not exist, whose content its length, its cursor or its `Link` would reveal otherwise. It ends early where it is
 * long.
 */
async function sendShownPage(page: Page, query: ListQuery, headers: OutgoingHttpHeaders): Promise<void> {
  const { context, memory } = page;
  try {
    const chunks = listShown(page, { ...query, limit: Infinity });
    const { rows, follows } = await firstOf(chunks, query.limit, memory);
    if (follows) linkNext(context, page.cursorAt(placeOf(rows.at(-1)!)));
    await sendArray(context, rowTexts(page, rows), headers, memory);
  } finally {
    memory.release();
  }
}

/** Returns the texts of a list, with their targets where it is expanded. */
function textsOf(page: Page, query: ListQuery, until?: ListPosition): Pieces {
  return page.expansion === undefined ? listTexts(page, query, until) : expanded(page, query, until);
}

async function* expanded(page: Page, query: ListQuery, until: ListPosition | undefined): Pieces {
  for await (const { rows } of listShown(page, query, until)) yield* rowTexts(page, rows);
}

async function* rowTexts({ context, version, memory, expansion }: Page, rows: StoredResource[]): Pieces {
  if (expansion !== undefined) return yield* expansion.texts(rows, memory);
  for (const row of rows) yield { joined: represent(context.kind, row, version).text };
}

/** Yields the beginning of a list and then the rest of it. */
async function* whole(beginning: Piece[], rest: Pieces): Pieces {
  yield* beginning;
  yield* rest;
}

/** Adds the URL of the page at a cursor, and returns its `Link`. That of a deprecated version stays. */
export function linkNext({ query, req, res }: RequestContext, cursor: string): string {
  // A page always has a limit, so that the query is not empty.
  const next = `${pathOf(req)}?${withoutParameter(query, 'continue')}&continue=${cursor}`;
  const link = linkTo(next, 'next');
  res.appendHeader('Link', link);
  return link;
}
