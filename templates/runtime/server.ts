import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Express } from 'express';
import type { Settings } from './settings';

/**
 * An HTTP server whose requests and responses are born with the application's prototypes.
 * Express sets both prototypes of every request anew, which costs more than all the rest of a request on
 * Node 20 and 22; here that is a no-op, and middleware sees ordinary Express objects.
 */
export function createTypedServer(app: Express, settings: Settings): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return createServer(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse,
      headersTimeout: settings.HEADERS_TIMEOUT_MS,
      requestTimeout: settings.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: settings.KEEP_ALIVE_TIMEOUT_MS,
      // Node looks for requests past their time only this often; its default is 30 s.
      connectionsCheckingInterval: 1_000,
    },
    app,
  );
}
