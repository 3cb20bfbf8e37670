import type { Request, Response } from 'express';
import { docsPages } from './docs';
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

/** Answers GET and HEAD of one path that belongs to no kind. */
export type Page = (req: Request, res: Response) => void | Promise<void>;

/** Every page of the service beside its kinds, by path. */
export function sitePages(service: Service, kinds: KindDefinition[], openapi: JsonObject): Map<string, Page> {
  const { definition } = service;
  const pages: { [path: string]: Page } = {
    ...landingPages(definition, kinds),
    ...docsPages(definition, openapi),
    '/healthz': healthz,
    '/readyz': (req, res) => readyz(service, req, res),
    '/metrics': metricsPage(service),
    ...(definition.events && {
      '/events': eventStream(service, kinds),
      '/events/dead-letters': deadLetters(service, kinds),
    }),
  };
  return new Map(Object.entries(pages).map(([path, page]) => [path, readOnly(page)]));
}

function readOnly(page: Page): Page {
  const headers = { Allow: 'GET, HEAD, OPTIONS' };
  return (req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') return page(req, res);
    if (req.method === 'OPTIONS') return sendEmpty(res, 204, headers);
    throw new HttpProblem(405, `The method ${req.method} is not allowed here.`, { headers });
  };
}
