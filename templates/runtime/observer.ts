import { ServerResponse, type IncomingMessage } from 'node:http';
import { requestId } from './request-id';
import { requestTarget } from './request-target';
import type { Service } from './service';
import { traceOf, type Trace } from './trace-context';

/** Is told of an answer when all of it is handed over; `since` is when its request came, as performance.now() counts. */
export type Observer = (res: ServerResponse<IncomingMessage>, since: number) => void;

/** Node's `end`, all of whose overloads it serves. */
type End = (chunk: unknown, encoding: unknown, callback: unknown) => void;

const ROUTE = Symbol('route');
/** The route of what the user's middleware answers: the routes never see it. */
const IN_FRONT = 'middleware';
/** The route of what no route answers. */
export const NO_ROUTE = 'none';

/** Notes which route answers a request: a template such as `/devices/{uid}`. */
export function setRoute(res: ServerResponse, route: string): void {
  (res as { [ROUTE]?: string })[ROUTE] = route;
}

/** A class of answers that tells the observer of each. */
export function observed(observer: Observer): typeof ServerResponse {
  return class ObservedResponse<R extends IncomingMessage> extends ServerResponse<R> {
    readonly #since = performance.now();

    // Three parameters instead of a rest: this is called for every answer.
    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      const isFirst = !this.writableEnded;
      (super.end as End).call(this, chunk, encoding, callback);
      if (isFirst) observer(this, this.#since);
      return this;
    }
  };
}

/** Counts and logs answers, as the settings say; undefined when they want neither. */
export function observerOf(service: Service): Observer | undefined {
  const { metrics } = service;
  const { LOG_REQUESTS } = service.settings;
  if (metrics === undefined && !LOG_REQUESTS) return undefined;
  return (res, since) => {
    const ms = performance.now() - since;
    const { req, statusCode: status } = res;
    const { method = '' } = req;
    const route = (res as { [ROUTE]?: string })[ROUTE] ?? IN_FRONT;
    metrics?.answered(route, method, status, ms / 1_000);
    if (!LOG_REQUESTS) return;
    service.logger.info(
      { ...identityOf(req), method, path: pathOf(req), route, status, ms: round(ms) },
      'answered',
    );
  };
}

/** What tells a request from others in the log, here and at those who called. */
export function identityOf(req: IncomingMessage): { requestId: string } & Partial<Trace> {
  return { requestId: requestId(req), ...traceOf(req) };
}

/** Without what follows the `?`: it may hold secrets. */
function pathOf(req: IncomingMessage): string {
  const { originalUrl, url = '' } = req as { originalUrl?: string; url?: string };
  return requestTarget(originalUrl ?? url).path;
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
