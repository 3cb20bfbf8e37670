import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Request, Response } from 'express';
import { LARGE } from '../../concurrency/large-work';
import {
  type Failure,
  HookTimeout,
  HttpProblem,
  type ReferrerEntry,
  unavailable,
  UnknownStoredVersion,
} from '../../model/problem';
import { StoreUnavailable } from '../../store/store';
import { requestId } from '../headers/request-id';
import { pathOf, uriReference } from '../request/request-target';
import { cutOff } from './cut-off';

const NOSNIFF = 'nosniff';

/**
 * Sends a whole response. Express' own `send` and `json` are not used: they evaluate freshness again and overrule 304
 * and 412. A HEAD request gets the headers alone.
 */
export function send(
  req: Request,
  res: Response,
  status: number,
  headers: OutgoingHttpHeaders,
  text: string | Buffer,
): void {
  // Node holds a string that a client does not take twice: as a string and as bytes.
  const body = typeof text !== 'string' || text.length < LARGE ? text : Buffer.from(text);
  headers['Content-Length'] = Buffer.byteLength(body);
  writeHead(res, status, headers);
  if (req.method === 'HEAD') res.end();
  else res.end(body);
}

/** Sends a response without a body, such as 204 and 304. */
export function sendEmpty(res: Response, status: number, headers: OutgoingHttpHeaders): void {
  writeHead(res, status, headers);
  res.end();
}

/**
 * Writes the head of a response. The names that middleware has put into `Vary` stay, such as `Origin` for CORS: a cache
 * needs all of them.
 */
export function writeHead(res: Response, status: number, headers: OutgoingHttpHeaders): void {
  headers['X-Content-Type-Options'] = NOSNIFF;
  const vary = headers['Vary'];
  if (vary !== undefined && res.hasHeader('Vary')) {
    res.vary(String(vary));
    delete headers['Vary'];
  }
  res.writeHead(status, headers);
}

/** Sends a value as JSON, with these `Warning` headers. */
export function sendJson(
  req: Request,
  res: Response,
  status: number,
  value: unknown,
  warnings: string[] = [],
): void {
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json' };
  if (warnings.length > 0) headers['Warning'] = warnings;
  send(req, res, status, headers, JSON.stringify(value));
}

/** Sends an error as problem+json (RFC 9457). A response that has begun is cut off. */
export function sendProblem(req: Request, res: Response, error: unknown): void {
  if (res.headersSent) {
    cutOff(req, res);
    return;
  }
  const { status, detail, extras } = asProblem(error);
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId(req),
    // The unacceptable value is the version in Accept.
    ...(status === 406 && { Vary: 'Accept' }),
    ...extras.headers,
  };
  const { errors, referrers } = extras;
  const instance = uriReference(pathOf(req));
  send(req, res, status, headers, problemBody({ status, detail, instance, errors, referrers }));
}

/** Returns the JSON text of a problem (RFC 9457, section 3.1). `instance` is the requested path, as a URI reference. */
export function problemBody(problem: {
  status: number;
  detail: string;
  instance?: string;
  errors?: Failure[];
  referrers?: ReferrerEntry[];
}): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[problem.status] ?? 'Error', ...problem });
}

/** Returns the problem that a client may see for any thrown value: internal errors become a bare 500. */
export function asProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof StoreUnavailable) {
    return unavailable(
      error.outcomeUnknown
        ? 'The connection to the store broke during the commit: whether the write was made is unknown.'
        : 'The store is not available; nothing was written.',
    );
  }
  if (error instanceof HookTimeout)
    return unavailable('The checks of this request took too long; nothing was changed.');
  if (error instanceof UnknownStoredVersion)
    return unavailable('A newer release of the service has written the resource; nothing was changed.');
  // Express middleware throws errors that carry a status (http-errors); their texts are for clients when `expose` is set.
  const { status, expose, message } = Object(error) as {
    status?: unknown;
    expose?: unknown;
    message?: unknown;
  };
  if (typeof status === 'number' && status >= 400 && status <= 499) {
    return new HttpProblem(status, expose === true ? String(message) : (STATUS_CODES[status] ?? 'Error'));
  }
  return new HttpProblem(500, 'The service failed to process this request.');
}

/** Returns the value of one `Warning` header (RFC 9111, section 5.5, code 299), in ASCII. */
export function warning(text: string): string {
  const ascii = text.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return `299 - "${ascii.replace(/["\\]/g, '\\$&')}"`;
}

/** Maximum length of all warnings of a response: a client's parser fails at about 16 KiB of headers. */
const MAX_WARNING_BYTES = 8_192;

/** Adds warnings to those of a response, up to the first that has no room. */
export function addWarnings(warnings: string[], texts: readonly string[]): void {
  let length = warnings.join(', ').length;
  for (const text of texts) {
    const added = warning(text);
    length += ', '.length + added.length;
    if (length > MAX_WARNING_BYTES) return;
    warnings.push(added);
  }
}

/** Returns the warnings about query parameters that an endpoint does not have, for at most ten of them. */
export function unknownParameters(names: string[]): string[] {
  return names.slice(0, 10).map((name) => warning(`unknown query parameter ${name.slice(0, 64)}`));
}
