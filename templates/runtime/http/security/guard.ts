import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SecurityScheme } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import { isIdentified } from './actor';

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

/**
 * Returns the guard of everything that shows or changes data. It fails closed: where the service declares `security`, it lets
 * only those requests through that middleware has identified. OPTIONS shows no data, and browsers send it without credentials.
 */
export function guardOf(
  security: readonly SecurityScheme[] | undefined,
  logger: Pick<Logger, 'warn'>,
): Guard {
  if (security === undefined) return () => undefined;
  const names = security.map((scheme) =>
    scheme.type === 'bearer' ? 'a bearer token' : `the header ${scheme.header}`,
  );
  const detail = `This service requires ${names.join(', or ')}.`;
  const headers = { 'WWW-Authenticate': security.map(challengeOf).join(', ') };
  let isWarned = false;
  return (req) => {
    if (isIdentified(req) || req.method === 'OPTIONS') return;
    if (!isWarned && security.some((scheme) => headerOf(scheme) in req.headers)) {
      isWarned = true;
      logger.warn(
        'a request with credentials is refused, since no middleware has called setActor or setIdentified; see src/app.ts',
      );
    }
    throw new HttpProblem(401, detail, { headers });
  };
}

/**
 * Returns the challenge of a scheme. API keys have no scheme of their own (RFC 9110, section 11.6.1): their challenge
 * names the header.
 */
function challengeOf(scheme: SecurityScheme): string {
  return scheme.type === 'bearer' ? 'Bearer' : `ApiKey header="${scheme.header}"`;
}

function headerOf(scheme: SecurityScheme): string {
  return scheme.type === 'bearer' ? 'authorization' : scheme.header.toLowerCase();
}
