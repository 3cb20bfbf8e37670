import type { Logger } from 'pino';
import { HttpProblem } from '../../model/problem';
import { isIdentified } from './actor';
import type { Guard, Security, SecurityScheme } from './guard';

/** Demands that callers identify themselves in one of these ways. */
export function required(schemes: readonly SecurityScheme[]): Security {
  return { schemes, guard: (logger) => guardOf(schemes, logger) };
}

/**
 * Returns a guard that fails closed: it lets only those requests through that middleware has identified. OPTIONS shows no data,
 * and browsers send it without credentials.
 */
function guardOf(schemes: readonly SecurityScheme[], logger: Pick<Logger, 'warn'>): Guard {
  const names = schemes.map((scheme) =>
    scheme.type === 'bearer' ? 'a bearer token' : `the header ${scheme.header}`,
  );
  const detail = `This service requires ${names.join(', or ')}.`;
  const headers = { 'WWW-Authenticate': schemes.map(challengeOf).join(', ') };
  let isWarned = false;
  return (req) => {
    if (isIdentified(req) || req.method === 'OPTIONS') return;
    if (!isWarned && schemes.some((scheme) => headerOf(scheme) in req.headers)) {
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
