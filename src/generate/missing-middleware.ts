import { join } from 'node:path';
import type { Project } from '../model/project';
import { readSource } from './user-source';

const APP = 'src/app.ts';

/** Returns a notice where `security` is declared and the application attaches no middleware: then nobody is identified. */
export function middlewareNotices(folder: string, { security }: Project): string[] {
  if (security.length === 0) return [];
  const text = readSource(join(folder, APP));
  if (text === undefined || /^[^/*]*\.use\(/m.test(text)) return [];
  const next = security.some(({ type }) => type === 'bearer')
    ? 'import bearerToken from ./middleware/bearer-token and add app.use(bearerToken()) before mountRoutes'
    : 'add a middleware before mountRoutes that checks the key and calls setActor';
  return [
    `svcgen: security is declared, but ${APP} attaches no middleware, so every request for data returns 401: ${next}; see "Credentials" in src/generated/README.md`,
  ];
}
