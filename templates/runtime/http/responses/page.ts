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
  const answer: Page = (req, res) =>
    servedAs(req.method) === method ? page(req, res) : respondToMethod([method], req, res);
  return { method, answer };
}

/** Returns the method whose handler serves a method: HEAD goes with GET. */
export function servedAs(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** Returns methods with HEAD, where GET is among them. */
export function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
}

/**
 * Responds to OPTIONS where these methods are served, with further headers. Throws HttpProblem 405 with `Allow` for another
 * method.
 */
export function respondToMethod(
  methods: readonly string[],
  { method }: Request,
  res: Response,
  more: { [name: string]: string } = {},
): void {
  const headers = { Allow: [...withHead(methods), 'OPTIONS'].join(', ') };
  if (method !== 'OPTIONS')
    throw new HttpProblem(405, `The method ${method} is not allowed here.`, { headers });
  sendEmpty(res, 204, { ...headers, ...more });
}
