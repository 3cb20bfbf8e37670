import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { HttpProblem } from '../../model/problem';
import type { Settings } from '../../settings/settings';
import { isAuthority, originForm } from '../request/request-target';

/**
 * Checks a request before any other code sees it: middleware, Express and the routes. Rewrites its `url` to
 * origin-form. Throws HttpProblem: 400 for a malformed target or Host, 501 for an unknown coding of the body, 421 for a host
 * that the settings exclude, 403 for a write from a page that they exclude.
 */
export type Gate = (req: IncomingMessage) => void;

/** Returns the gate of a service. */
export function gateOf({ ALLOWED_HOSTS, TRUSTED_ORIGINS, MAX_HEADERS }: Settings): Gate {
  const isAllowed = hostCheck(ALLOWED_HOSTS);
  const isTrusted = (origin = ''): boolean =>
    TRUSTED_ORIGINS.includes('*') || TRUSTED_ORIGINS.includes(origin.toLowerCase());
  return (req) => {
    if (req.rawHeaders.length > 2 * MAX_HEADERS)
      throw new HttpProblem(431, `A request has at most ${MAX_HEADERS} headers.`, CLOSE);
    checkHost(req);
    checkTransferEncoding(req);
    rewriteTarget(req);
    const { method = '', headers } = req;
    if (!isAllowed(headers.host)) throw new HttpProblem(421, 'This host name is not in ALLOWED_HOSTS.');
    if (READING.has(method) || mayWrite(req) || isTrusted(headers.origin)) return;
    throw new HttpProblem(
      403,
      'A page of another origin must not write; TRUSTED_ORIGINS lists those that may.',
    );
  };
}

/** Safe methods (RFC 9110, section 9.2.1). */
const READING = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Ends the connection of a client that does not speak HTTP as this service does. */
export const CLOSE = { headers: { Connection: 'close' } };

/** HTTP/1.1 demands one Host; Node accepts several (RFC 9112, section 3.2). */
function checkHost(req: IncomingMessage): void {
  const hosts = hostsOf(req.rawHeaders);
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0'))
    throw new HttpProblem(400, `A request needs one Host header, not ${hosts}.`, CLOSE);
  const { host = '' } = req.headers;
  if (host !== '' && !isAuthority(host))
    throw new HttpProblem(
      400,
      'The Host header is malformed: it is a host name with an optional port.',
      CLOSE,
    );
}

function hostsOf(rawHeaders: string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/**
 * Refuses what Node accepts: a coding before `chunked`, whose body would be read as if it had none, and any coding in HTTP/1.0,
 * where a proxy may see another end of the body (RFC 9112, section 6.1).
 */
function checkTransferEncoding({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0')
    throw new HttpProblem(400, 'A request of HTTP/1.0 has no Transfer-Encoding.', CLOSE);
  if (coding.toLowerCase() !== 'chunked')
    throw new HttpProblem(501, 'The only supported Transfer-Encoding is chunked.', CLOSE);
}

function rewriteTarget(req: IncomingMessage & { originalUrl?: string }): void {
  const target = originForm(req.url ?? '');
  if (target === undefined) {
    const detail =
      'The request target is malformed: it is a path and a query in visible ASCII, without "#" and "\\".';
    throw new HttpProblem(400, `${detail} Percent-encode other characters.`, CLOSE);
  }
  if (target.authority === undefined) return;
  req.url = target.url;
  // Express sets it before its first middleware.
  if (req.originalUrl !== undefined) req.originalUrl = originForm(req.originalUrl)?.url;
  // RFC 9112, section 3.2.2: the Host of an absolute form replaces the header.
  req.headers.host = target.authority;
}

/**
 * Returns a check of hosts against a list of names; `.example.com` in it is every name below. An empty list allows all. IP addresses,
 * localhost and no name at all are always allowed: DNS rebinding needs a name of the attacker's, and probes of containers and of
 * proxies have none.
 */
function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  if (names.length === 0) return () => true;
  return (host = '') => {
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '');
    if (name === '' || name === 'localhost' || isIP(name) !== 0) return true;
    return names.some((allowed) => (allowed.startsWith('.') ? name.endsWith(allowed) : name === allowed));
  };
}

/** Content types that pages may send to any origin without asking first (Fetch, "CORS-safelisted request-header"). */
const UNASKED = ['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Returns whether a write needs no trust: it comes from no browser, from the service's own pages, or from one of the same site
 * that has asked with OPTIONS before, where middleware decides. Over plain HTTP browsers send Origin without Sec-Fetch-Site.
 */
function mayWrite({ method, headers }: IncomingMessage): boolean {
  const { host, origin, 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  if (site === 'same-origin' || site === 'none') return true;
  if (site !== undefined && site !== 'same-site') return false;
  if (site === undefined && (origin === undefined || isOf(host, origin))) return true;
  return method !== 'POST' || !UNASKED.includes(type.split(';', 1)[0].trim().toLowerCase());
}

function isOf(host: string | undefined, origin: string): boolean {
  return origin.toLowerCase().replace(/^https?:\/\//, '') === host?.toLowerCase();
}
