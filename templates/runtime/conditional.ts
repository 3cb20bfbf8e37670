import type { IncomingMessage } from 'node:http';
import { parseHttpDate } from './http-date';

/** The state that conditions are held against. */
export interface CurrentState {
  /** The entity tag of the representation asked for, quoted. */
  etag: string;
  /** When the resource was last modified, in milliseconds since 1970. */
  modifiedAt: number;
  /** The tags of the same state in the other versions, which If-Match accepts too. Asked for only when they decide. */
  otherTags?: () => string[];
}

/** What a request's conditions say: go on, or the status to answer with. */
export type Outcome = 'proceed' | 304 | 412 | 428;

type Request = Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct'>;

/** Whether a request carries any condition: nearly none does, and for those nothing else here need be called. */
export function isConditional({ headers }: Pick<Request, 'headers'>): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  );
}

/**
 * Evaluates the conditional headers of a request in the order of RFC 9110 §13.2.2.
 *
 * Without `state` the target is a collection, which exists but has neither tag nor date: `*` matches it, no tag
 * does, dates are ignored. With `requireIfMatch`, PUT, PATCH and DELETE without If-Match are 428.
 *
 * What does not parse is not there: an element that is no entity tag (RFC 9110 §8.8.3) equals none, an invalid or
 * repeated date is ignored. So an If-Match without a single valid tag is 412.
 */
export function evaluateConditions(
  request: Request,
  state: CurrentState | undefined,
  requireIfMatch = false,
): Outcome {
  const { headers, method = 'GET' } = request;
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const reads = method === 'GET' || method === 'HEAD';

  if (requireIfMatch && ifMatch === undefined && ['PUT', 'PATCH', 'DELETE'].includes(method)) return 428;

  if (ifMatch !== undefined) {
    if (!anyMatches(ifMatch, state)) return 412;
  } else if (state !== undefined) {
    const since = date(request, 'if-unmodified-since');
    if (since !== undefined && modifiedSecond(state) > since) return 412;
  }

  if (ifNoneMatch !== undefined) {
    if (noneMatches(ifNoneMatch, state)) return 'proceed';
    return reads ? 304 : 412;
  }
  if (reads && state !== undefined) {
    const since = date(request, 'if-modified-since');
    if (since !== undefined && modifiedSecond(state) <= since) return 304;
  }
  return 'proceed';
}

/** If-Match (RFC 9110 §13.1.1): strong comparison, so that weak tags never match. */
function anyMatches(header: string, state: CurrentState | undefined): boolean {
  if (header.trim() === '*') return true;
  if (state === undefined) return false;
  const tags = entityTags(header).filter((tag) => !tag.startsWith('W/'));
  if (tags.length === 0) return false;
  return tags.includes(state.etag) || (state.otherTags?.() ?? []).some((tag) => tags.includes(tag));
}

/** If-None-Match (RFC 9110 §13.1.2): weak comparison, `W/"a"` equals `"a"`. */
function noneMatches(header: string, state: CurrentState | undefined): boolean {
  if (header.trim() === '*') return false;
  return state === undefined || !entityTags(header).some((tag) => opaque(tag) === opaque(state.etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** The valid entity tags of a list (RFC 9110 §5.6.1, §8.8.3). A comma within quotes separates nothing. */
function entityTags(header: string): string[] {
  const elements = header.match(/(?:"[^"]*"?|[^",])+/g) ?? [];
  return elements
    .map((element) => element.trim())
    .filter((element) => /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(element));
}

/** The date of a header in seconds; undefined when it is absent, invalid or repeated. */
function date(request: Request, name: 'if-modified-since' | 'if-unmodified-since'): number | undefined {
  if (request.headers[name] === undefined) return undefined;
  // Node keeps only the first line of these in `headers`.
  const lines = request.headersDistinct[name] ?? [];
  return lines.length === 1 ? parseHttpDate(lines[0].trim()) : undefined;
}

function modifiedSecond(state: CurrentState): number {
  return Math.floor(state.modifiedAt / 1000);
}
