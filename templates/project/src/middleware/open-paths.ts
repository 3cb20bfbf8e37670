import type { Request } from 'express';
import { requestTarget } from '../generated/runtime/request-target';

/** What is answered without credentials; `/docs*` would mean every path that begins so. */
const OPEN_PATHS = ['/healthz', '/readyz'];

/** Whether a request needs no credentials. The path is compared as it is written, as the routes do. */
export function isOpen(req: Request): boolean {
  const { path } = requestTarget(req.baseUrl + req.url);
  return OPEN_PATHS.some((open) => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open));
}
