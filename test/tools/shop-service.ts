import { sign } from 'jsonwebtoken';
import { type ExampleApp, SECRET, startExampleApp } from '../runtime/support/example-app';
import { shop } from './documents';

/** The shop as its users get it: rendered, with the middlewares and policies that it comes with. */
export interface ShopService {
  url: string;
  /** A bearer token for everything but the resources of other tenants. */
  token: string;
  close: ExampleApp['close'];
}

/** Renders the shop into a folder of this name and serves it with the given settings. */
export async function startShop(
  name: string,
  environment?: { [setting: string]: string },
): Promise<ShopService> {
  const { port, close } = await startExampleApp(name, shop(), environment);
  const claims = { sub: 'alice', tenant_id: 'acme', roles: ['admin'] };
  const token = sign(claims, SECRET, { algorithm: 'HS256', expiresIn: '1h' });
  return { url: `http://127.0.0.1:${port}`, token, close };
}
