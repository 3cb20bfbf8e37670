import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../../model/problem';
import { parseHttpDate } from './http-date';

/** The state that conditions are evaluated against. */
export interface CurrentState {
  /** The entity tag of the representation asked for, quoted. */
  etag: string;
  /**
   * Returns when the resource was last modified, in milliseconds since 1970. Called only for conditions with dates, which are
   * ignored where there is none, as for a list.
   */
  modifiedAt?: () => number;
  /**
   * Returns the tags of the same state in the other versions, which If-Match accepts too. Called only when they decide.
   */
  otherTags?: () => string[];
}

/** The result of a request's conditions: proceed, or respond with this status. */
export type Outcome = 'proceed' | 304 | 412 | 428;

type Request = Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct'>;

/** Returns whether a request carries any condition. Nearly none does, and then nothing else here need be called. */
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
 * Without `state` the target is a collection without a tag: it exists, so `*` matches it, no tag does, and dates are
 * ignored. With `requireIfMatch`, the result is 428 for PUT, PATCH and DELETE without If-Match.
 *
 * An element that is no entity tag (RFC 9110 §8.8.3) matches nothing, so an If-Match without a single valid tag results in
 * 412; an invalid or repeated date is ignored.
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
  } else if (isModifiedSince(request, 'if-unmodified-since', state) === true) return 412;

  if (ifNoneMatch !== undefined) {
    if (noneMatches(ifNoneMatch, state)) return 'proceed';
    return reads ? 304 : 412;
  }
  return reads && isModifiedSince(request, 'if-modified-since', state) === false ? 304 : 'proceed';
}

/** Throws HttpProblem 412 or 428 where the conditions demand it. */
export function refuseUnmet(outcome: Outcome): void {
  if (outcome === 412)
    throw new HttpProblem(412, 'A condition of the request does not hold: the resource is in another state.');
  if (outcome === 428)
    throw new HttpProblem(428, 'This service requires If-Match on every change to a resource.');
}

/** Returns whether a resource was modified after the date of a header; undefined without either date. */
function isModifiedSince(
  request: Request,
  name: 'if-modified-since' | 'if-unmodified-since',
  state: CurrentState | undefined,
): boolean | undefined {
  const since = date(request, name);
  if (since === undefined || state?.modifiedAt === undefined) return undefined;
  return Math.floor(state.modifiedAt() / 1000) > since;
}

/** Compares If-Match (RFC 9110 §13.1.1) strongly, so that weak tags never match. */
function anyMatches(header: string, state: CurrentState | undefined): boolean {
  if (header === state?.etag || header.trim() === '*') return true;
  if (state === undefined) return false;
  const tags = entityTags(header).filter((tag) => !tag.startsWith('W/'));
  if (tags.length === 0) return false;
  return tags.includes(state.etag) || (state.otherTags?.() ?? []).some((tag) => tags.includes(tag));
}

/** Compares If-None-Match (RFC 9110 §13.1.2) weakly: `W/"a"` equals `"a"`. */
function noneMatches(header: string, state: CurrentState | undefined): boolean {
  if (header === state?.etag || header.trim() === '*') return false;
  return state === undefined || !entityTags(header).some((tag) => opaque(tag) === opaque(state.etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** Returns the valid entity tags of a list (RFC 9110 §5.6.1, §8.8.3). A comma within quotes separates nothing. */
function entityTags(header: string): string[] {
  const elements = header.match(/(?:"[^"]*"?|[^",])+/g) ?? [];
  return elements
    .map((element) => element.trim())
    .filter((element) => /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(element))
    .flatMap((tag) => (CODED.test(tag) ? [tag, tag.replace(CODED, '"')] : [tag]));
}

/**
 * The end of the tag of a compressed response: Apache and Caddy give it a tag of its own, made from that of the service.
 * It stands for the same state. Tags of lists may end in this way by themselves.
 */
const CODED = /-(?:gzip|br|zstd|deflate)"$/;

/** Returns the date of a header in seconds; undefined when it is absent, invalid or repeated. */
function date(request: Request, name: 'if-modified-since' | 'if-unmodified-since'): number | undefined {
  if (request.headers[name] === undefined) return undefined;
  // Node keeps only the first line of these in `headers`.
  const lines = request.headersDistinct[name] ?? [];
  return lines.length === 1 ? parseHttpDate(lines[0].trim()) : undefined;
}
