import type { RequestHandler } from 'express';
import { setLabelScope } from '../generated/runtime/scope';
import { isOpen } from './open-paths';

/**
 * Confines each request to the resources with the label `tenant` of its token's claim `tenant_id`: lists show no others, others
 * are 404 on every endpoint, what is created gets the label. A request without the claim is answered 400. It stands
 * behind `bearerToken`.
 */
export function tenant(): RequestHandler {
  return (req, res, next) => {
    if (isOpen(req)) return next();
    const tenant: unknown = res.locals.claims?.tenant_id;
    if (typeof tenant !== 'string' || tenant === '') {
      res.status(400).set('Cache-Control', 'no-store').type('text').send('Missing tenant information');
      return;
    }
    setLabelScope(req, { tenant });
    next();
  };
}
