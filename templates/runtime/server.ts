import {
  createServer,
  IncomingMessage,
  STATUS_CODES,
  ServerResponse,
  type RequestListener,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import { listenerOf } from './direct-routes';
import { NO_ROUTE, observed, setRoute, type Observer } from './observer';
import { HttpProblem } from './problem';
import { problemBody, sendProblem } from './respond';
import type { Settings } from './settings';

/**
 * An HTTP server whose requests and responses are born with the application's prototypes.
 * Express sets both prototypes of every request anew, which costs more than all the rest of a request on
 * Node 20 and 22; here that is a no-op, and middleware sees ordinary Express objects. The observer is told of every answer.
 */
export function createTypedServer(app: Express, settings: Settings, observer?: Observer): Server {
  class AppRequest extends IncomingMessage {}
  const AppResponse = observer === undefined ? class extends ServerResponse {} : observed(observer);
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  const server = createServer(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse,
      headersTimeout: settings.HEADERS_TIMEOUT_MS,
      requestTimeout: settings.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: settings.KEEP_ALIVE_TIMEOUT_MS,
      // Node looks for requests past their time only this often; its default is 30 s.
      connectionsCheckingInterval: 1_000,
      // Node would answer without a body, and it does not see a second Host.
      requireHostHeader: false,
    },
    withHost(listenerOf(app)),
  );
  // A client that does not read its answer must not hold it in memory for ever.
  server.timeout = settings.STALL_TIMEOUT_MS;
  return server
    .on('clientError', refuse)
    .on('checkExpectation', (req, res) =>
      refuseRequest(req, res, 417, 'Of Expect only 100-continue is known.'),
    )
    .on('connect', (_req, socket) => refuseBytes(socket, 501, 'This service is no proxy.'));
}

/** Lets through the requests with the one Host that HTTP/1.1 demands; others are 400 (RFC 9112, section 3.2). */
function withHost(listener: RequestListener): RequestListener {
  return (req, res) => {
    const hosts = hostsOf(req.rawHeaders);
    if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return listener(req, res);
    refuseRequest(req, res, 400, `A request needs one Host header, not ${hosts}.`);
  };
}

function hostsOf(rawHeaders: string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** Answers a request that HTTP itself forbids; it does not get to the application. */
function refuseRequest(req: IncomingMessage, res: ServerResponse, status: number, detail: string): void {
  setRoute(res, NO_ROUTE);
  const request = Object.assign(req as Request, { originalUrl: req.url ?? '' });
  sendProblem(
    request,
    res as Response,
    new HttpProblem(status, detail, { headers: { Connection: 'close' } }),
  );
}

/** By Node's code of the error; everything else is 400. */
const REFUSALS: { [code: string]: [status: number, detail: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  HPE_HEADER_OVERFLOW: [431, 'The address and headers of the request are too large.'],
};

/** Answers what is no HTTP request, or not a whole one; it does not get to the application. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  // Node's own: the answer that is being written to this socket, which nothing may be put into.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse };
  if (!socket.writable || answer?.headersSent) {
    (socket as Socket).destroySoon();
    return;
  }
  const [status, detail] = REFUSALS[error.code ?? ''] ?? [400, 'This is not a valid HTTP request.'];
  refuseBytes(socket, status, detail);
}

/** Answers on a connection where no answer has been begun, and ends it. */
function refuseBytes(socket: Duplex, status: number, detail: string): void {
  const body = problemBody({ status, detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
