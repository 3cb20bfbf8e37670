import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
/** Below the repository, so that what is generated finds its dependencies there. */
export const WORK = join(ROOT, '.tmp', 'bench');

/** A service that svcgen generates to be measured. */
export interface Variant {
  /** Of the kind Device, and of copies of it beside it. */
  kinds: number;
  /** With spec version history and events. */
  recorded?: boolean;
  /** Files of the user, in place of those that svcgen makes. */
  files?: { [path: string]: string };
}

const THREE_MIDDLEWARES = `
import express, { type Express, type RequestHandler } from 'express';
import { mountRoutes } from './generated/routes';
import type { Service } from './generated/runtime/service';

const requestId: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Request-Id', '1');
  next();
};
const authentication: RequestHandler = (req, _res, next) => {
  Object.assign(req, { user: req.headers.authorization });
  next();
};
const tenant: RequestHandler = (req, _res, next) => {
  if (req.headers['x-tenant'] !== undefined) Object.assign(req, { tenant: req.headers['x-tenant'] });
  next();
};

export function createApp(service: Service): Express {
  const app = express();
  app.use(requestId, authentication, tenant);
  mountRoutes(app, service);
  return app;
}
`;

/** The service's own dispatcher as the listener of a plain server: what Express is measured against as a host. */
const WITHOUT_EXPRESS = `
import { createServer } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountRoutes } from './generated/routes';
import { openService } from './generated/runtime/service';
import { service as definition } from './generated/service';

async function main(): Promise<void> {
  const service = await openService(definition);
  const handlers: RequestHandler[] = [];
  const host = { disable: () => host, set: () => host, use: (handler: RequestHandler) => handlers.push(handler) };
  mountRoutes(host as unknown as Express, service);
  const [dispatch] = handlers;
  const server = createServer((message, answer) => {
    const req = message as Request;
    req.originalUrl = req.url;
    void dispatch(req, answer as Response, () => undefined);
  });
  server.listen(Number(process.env.PORT), () => console.log('listening'));
}

void main();
`;

/** What is measured. */
export const VARIANTS = {
  svcgen: { kinds: 1 },
  recorded: { kinds: 1, recorded: true },
  middlewares: { kinds: 1, files: { 'src/app.ts': THREE_MIDDLEWARES } },
  'without-express': { kinds: 1, files: { 'src/main.ts': WITHOUT_EXPRESS } },
  '10-kinds': { kinds: 10 },
  '300-kinds': { kinds: 300 },
  '500-kinds': { kinds: 500 },
} satisfies { [name: string]: Variant };

export type VariantName = keyof typeof VARIANTS;

/** Generates and compiles a variant; returns the path of what Node runs. What is unchanged is not made again. */
export function build(name: VariantName): string {
  const folder = join(WORK, name);
  const { kinds, recorded = false, files = {} }: Variant = VARIANTS[name];
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'project.yaml'))) svcgen('init', folder, '--yes', '--name', 'bench');
  writeFileSync(join(folder, 'project.yaml'), projectText(kinds, 1, recorded));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text.trimStart());
  svcgen('generate', '--project', folder);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], { cwd: folder });
  writeFileSync(join(folder, 'dist/generated/openapi.json'), '');
  execFileSync('cp', ['src/generated/openapi.json', 'dist/generated/openapi.json'], { cwd: folder });
  return join(folder, 'dist', 'main.js');
}

function svcgen(...args: string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'bin', 'svcgen.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** A project.yaml of so many kinds with the fields of Device, in so many versions. */
export function projectText(kinds: number, versions = 1, recorded = false): string {
  const names = Array.from({ length: versions }, (_, index) => (index === 0 ? 'v1' : `v1beta${index}`));
  const kind = (index: number): string => `
      - name: Device${index === 0 ? '' : index}
        specVersioning: ${recorded}
        versions:${names.map(version).join('')}`;
  return `name: bench
events: ${recorded}
cacheControl: no-cache
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [${names.join(', ')}]
    types:
      Condition:
        type: { type: string, rules: [required] }
        status: { type: string, rules: [oneof=True False Unknown] }
        reason: string
        message: string
    kinds:${Array.from({ length: kinds }, (_, index) => kind(index)).join('')}
`;
}

const version = (name: string): string => `
          ${name}:
            spec:
              name: { type: string, rules: [required] }
              location: { type: string, rules: [required] }
              model: string
              config: { type: map, values: string }
            status:
              phase: { type: string, rules: [oneof=Pending Ready Offline Error] }
              health: { type: string, rules: [oneof=Healthy Degraded Unhealthy] }
              message: string
              lastSeen: timestamp
              conditions: { type: list, items: Condition, key: type }
              ready: { type: boolean, default: false }`;
