import type { Request, RequestHandler, Response } from 'express';
import { verify, type JwtPayload } from 'jsonwebtoken';
import { setActor, setIdentified } from '../generated';
import { isOpen } from './open-paths';

/** The claims of a token. Add those that your tokens have. */
export interface Claims extends JwtPayload {
  /** The tenant whose resources the bearer sees. */
  tenant_id?: unknown;
  /** Roles of the bearer: `user`, `controller`, `admin`. */
  roles?: unknown;
}

declare global {
  namespace Express {
    interface Locals {
      claims?: Claims;
    }
  }
}

/** Minimum length of a key for HMAC with SHA-256, in bytes (RFC 7518, section 3.2). */
const SECRET_BYTES = 32;

/** Options of `bearerToken`. */
export interface BearerOptions {
  /** Accepts tokens without `exp`, which never expire; false by default. */
  allowWithoutExpiry?: boolean;
}

/**
 * Returns a middleware that requires `Authorization: Bearer <ACCESS_TOKEN>`: a currently valid JWT with an expiry, signed with
 * the secret by HS256. Its claims go to `res.locals.claims`, and `sub` becomes the actor. Other requests return 401.
 * Throws if the secret is missing or too short, so that the service does not start.
 */
export function bearerToken(
  secret = process.env['JWT_SECRET'],
  { allowWithoutExpiry = false }: BearerOptions = {},
): RequestHandler {
  if (secret === undefined || Buffer.byteLength(secret) < SECRET_BYTES) {
    throw new Error(
      `JWT_SECRET must hold the secret that tokens are signed with, ${SECRET_BYTES} bytes or more; to make one: echo "JWT_SECRET=$(openssl rand -hex 32)" >> .env`,
    );
  }
  return (req, res, next) => {
    if (isOpen(req)) return next();
    const { authorization } = req.headers;
    if (!authorization) return refuse(res, 'Unauthorized', 'Bearer');
    const claims = claimsIn(authorization, secret);
    if (claims === undefined || (claims.exp === undefined && !allowWithoutExpiry))
      return refuse(res, 'Invalid token', 'Bearer error="invalid_token"');
    res.locals.claims = claims;
    setIdentified(req);
    // The claims are unchecked: their type only describes a well-formed token.
    if (typeof claims.sub === 'string' && claims.sub !== '') setActor(req, claims.sub);
    next();
  };
}

/** Returns the claims of a request's token; undefined on an open path. */
export function claimsOf(req: Request): Claims | undefined {
  return req.res?.locals.claims;
}

function claimsIn(authorization: string, secret: string): Claims | undefined {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  try {
    // The algorithm is pinned: a token must not choose its own verification.
    const { header, payload } = verify(token, secret, { algorithms: ['HS256'], complete: true });
    // `crit` lists extensions that must be understood (RFC 7515, section 4.1.11). None is supported.
    return typeof payload === 'object' && !('crit' in header) ? payload : undefined;
  } catch {
    return undefined;
  }
}

function refuse(res: Response, text: string, challenge: string): void {
  const headers = {
    'WWW-Authenticate': challenge,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  res.status(401).set(headers).type('text').send(text);
}
