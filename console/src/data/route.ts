import { useEffect, useState } from 'preact/hooks';

/** A page of the console, as the fragment of its URL names it: `#/devices/dev-1?version=v1`. */
export interface Route {
  /** The decoded segments of the path: none for the page of kinds. */
  segments: string[];
  query: URLSearchParams;
}

/** The segment of the page of a new resource: it is no uid, and no name of a kind with unique names. */
export const NEW = '-new';

/** Parameters of a page; undefined ones are left out. */
export interface RouteQuery {
  [name: string]: string | undefined;
}

/** Returns the link to a page. */
export function linkTo(segments: string[], query: RouteQuery = {}): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(entries).toString();
  return `#/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Opens a page. `replace` leaves no entry in the history. */
export function goTo(link: string, replace = false): void {
  if (replace) window.location.replace(link);
  else window.location.assign(link);
}

/** Returns the page of a URL's fragment. A malformed encoding is left as it is. */
export function routeOf(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const segments = path.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decoded), query: new URLSearchParams(query) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the page of the browser's URL, now and after each change. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(window.location.hash));
  useEffect(() => {
    const update = (): void => setRoute(routeOf(window.location.hash));
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return route;
}
