/** What a request asks for: its path as it is written, and what follows the `?`. */
export interface RequestTarget {
  path: string;
  query: string;
}

/**
 * Takes a request's `url` apart, the absolute form that proxies send included (RFC 9112, section 3.2.2). Routes are found by
 * this path; whoever decides by path in front of them must read the same one.
 */
export function requestTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || '/', query: mark < 0 ? '' : target.slice(mark + 1) };
}
