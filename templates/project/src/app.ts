import express, { type Express } from 'express';
import { mountRoutes, type Service } from './generated';

/** Creates the application: your middleware, then the routes of the service. It does not listen yet. */
export function createApp(service: Service): Express {
  const app = express();
  // Add your middleware here, before the routes. To attach the examples of src/middleware:
  // app.use(bearerToken(), tenant());
  mountRoutes(app, service);
  return app;
}
