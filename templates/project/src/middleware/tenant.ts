import type { RequestHandler } from 'express';
import { setLabelScope } from '../generated';
import { isOpen } from './open-paths';

/**
 * Confines each request to resources whose label `tenant` equals the claim `tenant_id` of its token. Lists show only these,
 * all others return 404 on every endpoint, and new resources get the label. A request without the claim returns 400.
 * Attach it after `bearerToken`.
 */
export function tenant(): RequestHandler {
  return (req, res, next) => {
    if (isOpen(req)) return next();
    const tenant: unknown = res.locals.claims?.tenant_id;
    if (typeof tenant !== 'string' || tenant === '') {
      const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
      res.status(400).set(headers).type('text').send('Missing tenant information');
      return;
    }
    setLabelScope(req, { tenant });
    next();
  };
}
