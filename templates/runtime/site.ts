import type { Request, Response } from 'express';
import { docsPages } from './docs';
import { resendDeadLetters } from './events/dead-letter-resend';
import { deadLetters } from './events/dead-letters';
import { eventStream } from './events/event-stream';
import { healthz, readyz } from './health';
import type { KindDefinition } from './kind';
import { landingPages } from './landing';
import { metricsPage } from './metrics/metrics-page';
import { HttpProblem } from './problem';
import { sendEmpty } from './respond';
import type { JsonObject } from './schema';
import type { Service } from './service';

/** Answers one path that belongs to no kind. */
export type Page = (req: Request, res: Response) => void | Promise<void>;

/** A path that belongs to no kind. */
export interface SitePage {
  /** What it is for; HEAD goes with GET. */
  method: 'GET' | 'POST';
  /** Answers every method. */
  answer: Page;
}

/** Every page of the service beside its kinds, by path. */
export function sitePages(
  service: Service,
  kinds: KindDefinition[],
  openapi: () => JsonObject,
): Map<string, SitePage> {
  const { definition } = service;
  const pages: { [path: string]: Page } = {
    ...landingPages(definition, kinds, { metrics: service.metrics !== undefined }),
    ...docsPages(definition, openapi),
    '/healthz': healthz,
    '/readyz': (req, res) => readyz(service, req, res),
    '/metrics': metricsPage(service),
    ...(definition.events && {
      '/events': eventStream(service, kinds),
      '/events/dead-letters': deadLetters(service, kinds),
    }),
  };
  const found = new Map(Object.entries(pages).map(([path, page]) => [path, only('GET', page)]));
  if (definition.events)
    found.set('/events/dead-letters/resend', only('POST', resendDeadLetters(service, kinds)));
  return found;
}

function only(method: SitePage['method'], page: Page): SitePage {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
  const answer: Page = (req, res) => {
    if (methods.includes(req.method)) return page(req, res);
    if (req.method === 'OPTIONS') return sendEmpty(res, 204, headers);
    throw new HttpProblem(405, `The method ${req.method} is not allowed here.`, { headers });
  };
  return { method, answer };
}
