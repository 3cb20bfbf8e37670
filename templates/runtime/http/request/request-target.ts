import type { IncomingMessage } from 'node:http';

/** The path of a request as it was sent, and the query after its `?`. */
interface RequestTarget {
  path: string;
  query: string;
}

/** Splits a request's `url`. The gate has rewritten every URL to origin-form, so that Express splits it in the same place. */
export function requestTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/**
 * Returns the path that a client sent, without its query, which may hold secrets; empty for a target without a path.
 */
export function pathOf(req: IncomingMessage): string {
  const { originalUrl, url = '' } = req as { originalUrl?: string; url?: string };
  const { path } = requestTarget(originalUrl ?? url);
  return path.startsWith('/') || path === '*' ? path : '';
}

/**
 * Returns a path and a query as a URI reference (RFC 3986): Node's parser lets characters through that none may have, such as
 * `<` or a `%` without two digits.
 */
export function uriReference(target: string): string {
  return target.replace(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi, encodeURIComponent);
}

/** Returns the value of a `Link` header (RFC 8288). */
export function linkTo(address: string, relation: string): string {
  return `<${uriReference(address)}>; rel="${relation}"`;
}

/** Visible ASCII without `#`, and without the backslash in the path: URL parsers disagree about all others. */
const ORIGIN_FORM = /^\/[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/;
/** The form that proxies send (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;
const AUTHORITY = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** A request target in origin-form, such as `/devices?limit=1`; `authority` comes from the absolute form. */
interface OriginForm {
  url: string;
  authority?: string;
}

/** Returns a target in origin-form; undefined for one that is malformed or of another scheme than http and https. */
export function originForm(target: string): OriginForm | undefined {
  if (ORIGIN_FORM.test(target) || target === '*') return { url: target };
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  const url = rest.startsWith('/') ? rest : `/${rest}`;
  return isAuthority(authority) && ORIGIN_FORM.test(url) ? { url, authority } : undefined;
}

/** Returns whether a string is a host with an optional port, as in a URL and in the header Host. */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text);
}
