import express, { type Express } from 'express';
import { mountRoutes } from './generated/routes';
import type { Service } from './generated/runtime/service';

/** The application: your middleware, then every route of the service. It does not listen. */
export function createApp(service: Service): Express {
  const app = express();
  // Your middleware stands here, before the routes. The examples of src/middleware are attached by one line:
  // app.use(bearerToken(), tenant());
  mountRoutes(app, service);
  return app;
}
