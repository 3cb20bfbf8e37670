import type { Request } from 'express';
import { isOpenPage, requestTarget, setIdentified } from '../generated';

/** Paths that need no credentials, besides the pages that show no data. Add `/metrics` for a scraper without a token. */
const OPEN_PATHS: string[] = [];

/**
 * Returns whether a request needs no credentials. Like the routes, it compares the path as written. An open path stays
 * open if `project.yaml` declares `security`.
 */
export function isOpen(req: Request): boolean {
  const { path } = requestTarget(req.baseUrl + req.url);
  if (isOpenPage(path)) return true;
  if (!OPEN_PATHS.includes(path)) return false;
  setIdentified(req);
  return true;
}
