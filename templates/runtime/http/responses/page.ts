import type { Request, Response } from 'express';
import { HttpProblem } from '../../model/problem';
import type { Guard } from '../security/guard';
import { sendEmpty } from './respond';

/** Responds on one path that belongs to no kind. */
export type Page = (req: Request, res: Response) => void | Promise<void>;

/** A path that belongs to no kind. */
export interface SitePage {
  /** The method that it serves; HEAD goes with GET. */
  method: 'GET' | 'POST';
  /** Responds to every method. */
  answer: Page;
}

/** Responds on every path below a first segment, to every method. */
export interface Tree {
  /** Responds to a request; `guard` throws HttpProblem 401 for one that must be identified and is not. */
  answer(req: Request, res: Response, guard: Guard): void | Promise<void>;
  /** Responds to a request that failed before. */
  fail(req: Request, res: Response, error: unknown): void;
}

/** Pages by path. */
export interface SitePages {
  [path: string]: SitePage;
}

/** Returns pages that are read, by path. */
export function readPages(pages: { [path: string]: Page }): SitePages {
  return Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, pageOf('GET', page)]));
}

/** Returns a page that serves one method. It throws HttpProblem 405 with `Allow` for others. */
export function pageOf(method: SitePage['method'], page: Page): SitePage {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
  const answer: Page = (req, res) => {
    if (methods.includes(req.method)) return page(req, res);
    if (req.method === 'OPTIONS') return sendEmpty(res, 204, headers);
    throw new HttpProblem(405, `The method ${req.method} is not allowed here.`, { headers });
  };
  return { method, answer };
}
