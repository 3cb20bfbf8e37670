import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { MemoryBudget } from '../memory/memory-budget';
import type { Reservation } from '../memory/memory-lane';
import { HttpProblem } from '../model/problem';
import { requestId } from './headers/request-id';
import { type Trace, traceOf } from './headers/trace-context';
import { pathOf } from './request/request-target';
import { cutOff } from './responses/cut-off';
import { asProblem } from './responses/respond';
import { actorOf } from './security/actor';

/**
 * Called with each response when all of it is handed over. `since` is the time its request came, as performance.now()
 * counts.
 */
export type Observer = (res: ServerResponse, since: number) => void;

/** Node's `end` with all its overloads. */
type End = (chunk: unknown, encoding: unknown, callback: unknown) => void;

const ROUTE = Symbol('route');
/** The route of responses of user-owned middleware, which the routes never see. */
const IN_FRONT = 'middleware';
/** The route of requests that no route serves. */
export const NO_ROUTE = 'none';

/** Sets the route of a request: a template such as `/devices/{uid}`. */
export function setRoute(res: ServerResponse, route: string): void {
  (res as { [ROUTE]?: string })[ROUTE] = route;
}

/** Returns a class of responses that reports each to the observer. */
export function observed(observer: Observer): typeof ServerResponse {
  return class ObservedResponse<R extends IncomingMessage> extends ServerResponse<R> {
    readonly #since = performance.now();

    // Three parameters instead of a rest parameter: this runs for every response.
    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      const isFirst = !this.writableEnded;
      (ServerResponse.prototype.end as End).call(this, chunk, encoding, callback);
      // Another server may serve the same application.
      if (isFirst && #since in this) observer(this, this.#since);
      return this;
    }
  };
}

/** The parts of a service that an observer reports to. */
interface ObservedService {
  memory: MemoryBudget;
  settings: { LOG_REQUESTS: boolean };
  logger: Pick<Logger, 'info'>;
  parts: readonly { responded?(route: string, method: string, status: number, seconds: number): void }[];
}

/** Counts and logs responses, as the settings say, and accounts for the memory of those that clients do not take. */
export function observerOf(service: ObservedService): Observer {
  const { memory, parts } = service;
  const { LOG_REQUESTS } = service.settings;
  const counting = parts.filter(({ responded }) => responded !== undefined);
  const isReported = counting.length > 0 || LOG_REQUESTS;
  return (res, since) => {
    if (res.writableLength > 0) holdUnsent(memory, res);
    if (!isReported) return;
    const ms = performance.now() - since;
    const { req, statusCode: status } = res;
    const { method = '' } = req;
    const route = (res as { [ROUTE]?: string })[ROUTE] ?? IN_FRONT;
    for (const part of counting) part.responded!(route, method, status, ms / 1_000);
    if (!LOG_REQUESTS) return;
    service.logger.info(
      { method, path: pathOf(req), route, status, ms: round(ms), ...identityOf(req) },
      'answered',
    );
  };
}

/** Reservations for responses that clients have not taken yet, by connection. */
const unsent = new WeakMap<Socket, Set<Reservation>>();

/**
 * Reserves memory for the part of a response that a client has not taken, until it has. The connection is cut off when
 * others need the memory.
 */
function holdUnsent(memory: MemoryBudget, res: ServerResponse): void {
  const { socket } = res.req;
  if (socket.destroyed) return;
  const held = memory.take('response', res.writableLength);
  held.awaitClient(() => cutOff(res.req));
  const all = unsent.get(socket) ?? releasedWith(socket);
  all.add(held);
  res.once('close', () => {
    held.release();
    all.delete(held);
  });
}

/**
 * Returns the reservations that end with a connection: a response that waits behind another one in it is not closed
 * with it.
 */
function releasedWith(socket: Socket): Set<Reservation> {
  const all = new Set<Reservation>();
  unsent.set(socket, all);
  socket.once('close', () => all.forEach((held) => held.release()));
  return all;
}

/** Returns the fields that identify a request in the log, here and at its callers. */
function identityOf(req: IncomingMessage): { requestId: string; actor?: string } & Partial<Trace> {
  const actor = actorOf(req);
  return { requestId: requestId(req), ...traceOf(req), ...(actor !== undefined && { actor }) };
}

/** Logs the failure of a request. An HttpProblem is an intended response, such as that of /readyz during a stop. */
export function logFailure(logger: Pick<Logger, 'error'>, req: IncomingMessage, error: unknown): void {
  if (error instanceof HttpProblem || asProblem(error).status < 500) return;
  logger.error({ err: error, ...identityOf(req), method: req.method, path: pathOf(req) }, 'failed');
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
