import type { Request, RequestHandler, Response } from 'express';
import { verify, type JwtPayload } from 'jsonwebtoken';
import { isOpen } from './open-paths';

/** What a token says of its bearer. Add the claims that your tokens have. */
export interface Claims extends JwtPayload {
  /** The tenant whose resources the bearer sees. */
  tenant_id?: unknown;
  /** What the bearer is: `user`, `controller`, `admin`. */
  roles?: unknown;
}

declare global {
  namespace Express {
    interface Locals {
      claims?: Claims;
    }
  }
}

/** HMAC with SHA-256 needs a key of this many bytes at least (RFC 7518, section 3.2). */
const SECRET_BYTES = 32;

/**
 * Lets requests through that carry `Authorization: Bearer <ACCESS_TOKEN>`, a JWT signed with the secret by HS256 that is neither
 * expired nor not yet valid; its claims go to `res.locals.claims`. Others are answered 401. Throws for a secret that is
 * missing or too short: the service then does not start.
 */
export function bearerToken(secret = process.env['JWT_SECRET']): RequestHandler {
  if (secret === undefined || Buffer.byteLength(secret) < SECRET_BYTES) {
    throw new Error(
      `JWT_SECRET must hold the secret that tokens are signed with, ${SECRET_BYTES} bytes or more`,
    );
  }
  return (req, res, next) => {
    if (isOpen(req)) return next();
    const { authorization } = req.headers;
    if (!authorization) return refuse(res, 'Unauthorized', 'Bearer');
    const claims = claimsIn(authorization, secret);
    if (claims === undefined) return refuse(res, 'Invalid token', 'Bearer error="invalid_token"');
    res.locals.claims = claims;
    next();
  };
}

/** The claims of the token that a request came with; undefined on an open path. */
export function claimsOf(req: Request): Claims | undefined {
  return req.res?.locals.claims;
}

function claimsIn(authorization: string, secret: string): Claims | undefined {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  try {
    // The algorithm is pinned: a token must not choose how it is checked.
    const payload = verify(token, secret, { algorithms: ['HS256'] });
    return typeof payload === 'object' ? payload : undefined;
  } catch {
    return undefined;
  }
}

function refuse(res: Response, text: string, challenge: string): void {
  res.status(401).set({ 'WWW-Authenticate': challenge, 'Cache-Control': 'no-store' }).type('text').send(text);
}
