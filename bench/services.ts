import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
export const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Below the repository, so that what is generated finds its dependencies there. */
export const WORK = join(ROOT, '.tmp', 'bench');

/** A service that svcgen generates to be measured. */
export interface Variant {
  /** Of the kind Device, and of copies of it beside it. */
  kinds: number;
  versions?: number;
  /** With spec version history and events. */
  recorded?: boolean;
  /** Files of the user, in place of those that svcgen makes. */
  files?: { [path: string]: string };
  /** A text in a compiled file, and what stands there instead. */
  edit?: { path: string; from: string; to: string };
}

const MIDDLEWARES = `
import type { RequestHandler } from 'express';

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

export const middlewares = [requestId, authentication, tenant];
`;

const WITH_MIDDLEWARES = `
import express, { type Express } from 'express';
import { mountRoutes } from './generated/routes';
import type { Service } from './generated/runtime/service';
import { middlewares } from './middlewares';

export function createApp(service: Service): Express {
  const app = express().use(middlewares);
  mountRoutes(app, service);
  return app;
}
`;

/** The service's own dispatcher as the listener of its server: what Express is measured against as a host. */
const withoutExpress = (middlewares: string): string => `
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountRoutes } from './generated/routes';
import type { Service } from './generated/runtime/service';
${middlewares}

export function createApp(service: Service): Express {
  // The first goes on, the second answers. What stands in the stack is none of them: the listener is called, not they.
  const handlers: RequestHandler[] = [];
  const stack: object[] = [];
  const listener = (req: Request, res: Response): void => {
    req.originalUrl = req.url;
    for (const middleware of middlewares) middleware(req, res, () => undefined);
    void handlers[1](req, res, () => undefined);
  };
  const host = Object.assign(listener, {
    request: IncomingMessage.prototype,
    response: ServerResponse.prototype,
    disable: () => host,
    set: () => host,
    router: { stack },
    use: (handler: RequestHandler) => stack.push({ handle: handlers.push(handler) }),
  });
  mountRoutes(host as unknown as Express, service);
  return host as unknown as Express;
}
`;

/** What is measured. */
export const VARIANTS = {
  svcgen: { kinds: 1 },
  postgres: { kinds: 1 },
  'two-versions': { kinds: 1, versions: 2 },
  recorded: { kinds: 1, recorded: true },
  'without-express': {
    kinds: 1,
    files: { 'src/app.ts': withoutExpress('const middlewares: RequestHandler[] = [];') },
  },
  middlewares: {
    kinds: 1,
    files: { 'src/app.ts': WITH_MIDDLEWARES, 'src/middlewares.ts': MIDDLEWARES },
  },
  'middlewares-without-express': {
    kinds: 1,
    files: {
      'src/app.ts': withoutExpress("import { middlewares } from './middlewares';"),
      'src/middlewares.ts': MIDDLEWARES,
    },
  },
  'one-thread': {
    kinds: 1,
    edit: {
      path: 'dist/generated/runtime/store/open-store.js',
      from: "writerThread: __filename.endsWith('.js')",
      to: 'writerThread: false',
    },
  },
  '10-kinds': { kinds: 10 },
  '300-kinds': { kinds: 300 },
  '500-kinds': { kinds: 500 },
} satisfies { [name: string]: Variant };

export type VariantName = keyof typeof VARIANTS;

/** Generates and compiles a variant; returns the path of what Node runs. */
export function build(name: VariantName): string {
  const folder = join(WORK, name);
  const { files = {}, edit, ...size }: Variant = VARIANTS[name];
  writeProject(folder, projectText(size));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.trimStart());
  }
  svcgen('generate', '--project', folder);
  // Types are checked by the tests of svcgen; here that would only take time.
  node(TSC, ['-p', join(folder, 'tsconfig.build.json'), '--noCheck']);
  cpSync(join(folder, 'src/generated/openapi.json'), join(folder, 'dist/generated/openapi.json'));
  if (edit !== undefined) replaceText(join(folder, edit.path), edit.from, edit.to);
  return join(folder, 'dist', 'main.js');
}

function replaceText(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  // A build that has nothing to compile leaves what the last one left.
  if (text.includes(to)) return;
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/** Writes a project.yaml, alone in its folder or in place of another. */
export function writeProject(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'project.yaml'), text);
}

/** The command line of svcgen. */
export const SVCGEN = join(ROOT, 'bin', 'svcgen.js');

/** Runs the command line of svcgen. Throws what it says when it fails. */
export function svcgen(...args: string[]): void {
  node(SVCGEN, args);
}

/** Runs a script. Throws what it says when it fails. */
export function node(script: string, args: string[]): void {
  run([script, ...args]);
}

function run(args: string[], env = process.env): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** What a run took. */
export interface Cost {
  /** Seconds that passed. */
  wall: number;
  /** Seconds of CPU time, of the user and of the system. */
  cpu: number;
  /** The most memory that it had, in MiB. */
  memory: number;
}

/** Runs a script and says what that took. Throws what the script says when it fails. */
export function costOf(script: string, args: string[]): Cost {
  mkdirSync(WORK, { recursive: true });
  const file = join(WORK, 'cost.json');
  const start = performance.now();
  run(['--require', join(__dirname, 'cost.js'), script, ...args], { ...process.env, COST_FILE: file });
  const wall = (performance.now() - start) / 1000;
  return { wall, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Cost, 'wall'>) };
}

/**
 * What a project of the benchmarks has: kinds like the first, or small ones beside it, in one version or several. Kinds
 * like the first have a field of another name, and one of other values, in each version but v1.
 */
export interface ProjectSize {
  kinds: number;
  versions?: number;
  recorded?: boolean;
  likeTheFirst?: boolean;
}

/** The project.yaml of a service with the kind Device and others. */
export function projectText({
  kinds,
  versions = 1,
  recorded = false,
  likeTheFirst = false,
}: ProjectSize): string {
  const names = Array.from({ length: versions }, (_, index) => (index === 0 ? 'v1' : `v1beta${index}`));
  const device = (name: string): string => `
      - name: ${name}
        specVersioning: ${recorded}
        versions:${names.map((each) => (likeTheFirst && each !== 'v1' ? spoke(each) : version(each))).join('')}`;
  const others = Array.from({ length: kinds - 1 }, (_, index) =>
    likeTheFirst ? device(`Device${index + 1}`) : smallKind(`Kind${index + 1}`),
  );
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
    kinds:${device('Device')}${others.join('')}
`;
}

const smallKind = (name: string): string => `
      - name: ${name}
        versions:
          v1: { spec: { description: { type: string, rules: [max=200] } }, status: { phase: string } }`;

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

const spoke = (name: string): string => `${version(name)
  .replace('location:', 'place:')
  .replace('oneof=Pending Ready Offline Error', 'oneof=pending ready offline error')}
            conversion:
              - rename: { hub: spec.location, spoke: spec.place }
              - map:
                  hub: status.phase
                  spoke: status.phase
                  values: { Pending: pending, Ready: ready, Offline: offline, Error: error }`;
