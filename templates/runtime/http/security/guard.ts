import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';

const OPEN_PAGES = ['/', '/apis', '/openapi.json', '/docs', '/console', '/healthz', '/readyz'];

/** The settings of the service, for its console: the only page of the console that is not open. */
export const SETTINGS_PAGE = '/console/settings.json';

/**
 * Returns whether a path belongs to a page that shows no data and is open to everybody: the index, the documentation, the
 * console, the OpenAPI documents and the probes. Paths are compared as they are written, as the routes do.
 */
export function isOpenPage(path: string): boolean {
  return (
    OPEN_PAGES.includes(path) ||
    path.startsWith('/docs/') ||
    (path.startsWith('/console/') && path !== SETTINGS_PAGE) ||
    /^\/apis\/[^/]+\/[^/]+\/openapi\.json$/.test(path)
  );
}

/** Throws HttpProblem 401 for a request that must be identified and is not. */
export type Guard = (req: IncomingMessage) => void;

/** A way in which callers identify themselves: a bearer token, or a key in a header. */
export type SecurityScheme = { type: 'bearer' } | { type: 'apiKey'; header: string };

/** The demand that callers identify themselves. */
export interface Security {
  /** The accepted ways, any one of which suffices. */
  schemes: readonly SecurityScheme[];
  /** Returns the guard of everything that shows or changes data. */
  guard(logger: Pick<Logger, 'warn'>): Guard;
}
