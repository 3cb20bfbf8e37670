import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import { HttpProblem } from '../model/problem';
import type { Settings } from '../settings/settings';
import { responseOn } from './connections';
import { type Fail, failOf, listenerOf } from './direct-routes';
import { NO_ROUTE, observed, type Observer, setRoute } from './observer';
import { problemBody } from './responses/respond';
import { certificateOf } from './security/certificate';
import { CLOSE, type Gate, gateOf } from './security/gate';

/**
 * Creates an HTTP server whose requests and responses start with the application's prototypes. Express sets both
 * prototypes on every request, which costs more than all the rest of a request on Node 20 and 22; here that is a no-op,
 * and middleware sees ordinary Express objects. The observer is called with every response.
 */
export function createTypedServer(app: Express, settings: Settings, observer?: Observer): Server {
  class AppRequest extends IncomingMessage {}
  const AppResponse = observer === undefined ? class extends ServerResponse {} : observed(observer);
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  // Applications within this one inherit from the prototype that it has now.
  app.response.end = AppResponse.prototype.end as typeof app.response.end;
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  const fail = failOf(app);
  const server = serverOf(settings)(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse,
      maxHeaderSize: settings.MAX_HEADER_BYTES,
      // They are part of the request: Node refuses a longer time for them.
      headersTimeout: Math.min(settings.HEADERS_TIMEOUT_MS, settings.REQUEST_TIMEOUT_MS),
      requestTimeout: settings.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: settings.KEEP_ALIVE_TIMEOUT_MS,
      // Node looks for requests past their time only this often; its default is 30 s.
      connectionsCheckingInterval: 1_000,
      // The gate checks the header: Node would respond without a body, and it does not see a second Host.
      requireHostHeader: false,
    },
    behind(gateOf(settings), listenerOf(app), fail),
  );
  // The gate counts them: beyond a limit of its own, Node drops headers, or responds without the application.
  server.maxHeadersCount = 0;
  server.maxConnections = settings.MAX_CONNECTIONS;
  // A client that does not read its response must not hold it in memory for ever.
  server.timeout = settings.STALL_TIMEOUT_MS;
  return server
    .on('drop', roomIn(server))
    .on('clientError', refuse)
    .on('checkExpectation', (req, res) =>
      refuseRequest(
        fail,
        { req, res },
        new HttpProblem(417, 'The only supported value of Expect is 100-continue.', CLOSE),
      ),
    )
    .on('connect', (_req, socket) => refuseBytes(socket, 501, 'This service is not a proxy.'));
}

/** Pause between two searches for idle connections, each of which looks at all connections, in milliseconds. */
const ROOM_PAUSE = 1_000;

/** Returns a function that closes idle connections, so that they do not keep new ones out: those may stay for minutes. */
function roomIn(server: Server): () => void {
  let madeAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - madeAt < ROOM_PAUSE) return;
    madeAt = now;
    server.closeIdleConnections();
  };
}

/** Returns the function that creates the server: for https where there is a certificate. */
function serverOf(settings: Settings): typeof createServer {
  const certificate = certificateOf(settings);
  if (certificate === undefined) return createServer;
  const secure = (options: ServerOptions, listener: RequestListener): Server =>
    createSecureServer({ ...options, ...certificate, handshakeTimeout: options.headersTimeout }, listener);
  return secure as typeof createServer;
}

/** Passes requests to the listener that the gate lets through. */
function behind(gate: Gate, listener: RequestListener, fail: Fail): RequestListener {
  return (req, res) => {
    try {
      gate(req);
    } catch (error) {
      return refuseRequest(fail, { req, res }, error);
    }
    listener(req, res);
  };
}

/** Responds to a request that does not reach the application. */
function refuseRequest(
  fail: Fail,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  error: unknown,
): void {
  setRoute(res, NO_ROUTE);
  fail(req as Request, res as Response, error);
}

/** Refusals by Node's error code; all others are 400. */
const REFUSALS: { [code: string]: [status: number, detail: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  HPE_HEADER_OVERFLOW: [431, 'The URL and headers of the request are too large.'],
};

/** Codes of errors about HTTP: all others are of the connection, such as of a TLS handshake that does not end. */
const OF_HTTP = /^(?:HPE|ERR_HTTP)_/;

/** Responds to bytes that are not a complete HTTP request. They do not reach the application. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  if (!OF_HTTP.test(error.code ?? '')) return void socket.destroy();
  // A response that is being written must not be interrupted.
  if (!socket.writable || responseOn(socket)?.headersSent) {
    (socket as Socket).destroySoon();
    return;
  }
  const [status, detail] = REFUSALS[error.code ?? ''] ?? [400, 'This is not a valid HTTP request.'];
  refuseBytes(socket, status, detail);
}

/** Responds on a connection where no response has begun, and ends it. */
function refuseBytes(socket: Duplex, status: number, detail: string): void {
  const body = problemBody({ status, detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    'Cache-Control: no-store',
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  // Node has taken its own listener from the socket of a CONNECT: without one, a client that has gone ends the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
