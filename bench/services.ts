import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '..');
const TSC_PATH = join('node_modules', '.bin', 'tsc');
export const TSC = join(ROOT, TSC_PATH);
/** Below a checkout, so that generated code finds its dependencies there. */
const WORK_PATH = join('.tmp', 'bench');
export const WORK = join(ROOT, WORK_PATH);

/** A generated service to measure. */
export interface Variant {
  /** Number of kinds: Device, and copies of it. */
  kinds: number;
  versions?: number;
  /** With spec version history and events. */
  recorded?: boolean;
  /** With the API for Kubernetes clients; events come with it. */
  kubernetes?: boolean;
  /** Devices have a site, which is text or a reference; with the reference, two fields are selectable. */
  site?: 'text' | 'reference';
  /** User-owned files, in place of those that svcgen makes. */
  files?: { [path: string]: string };
  /** Changes of compiled files. */
  edits?: Edit[];
}

/** A string in a compiled file of the runtime, and its replacement, which the file has nowhere else. */
export interface Edit {
  path: string;
  from: string;
  to: string;
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
import { mountRoutes, type Service } from './generated';
import { middlewares } from './middlewares';

export function createApp(service: Service): Express {
  const app = express().use(middlewares);
  mountRoutes(app, service);
  return app;
}
`;

/** The service's own dispatcher as the listener of its server, to measure Express as a host. */
const withoutExpress = (middlewares: string): string => `
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountRoutes, type Service } from './generated';
${middlewares}

export function createApp(service: Service): Express {
  // The first continues, the second responds. The entries of the stack are others: the listener is called, not they.
  const handlers: RequestHandler[] = [];
  const stack: object[] = [];
  const listener = (req: Request, res: Response): void => {
    req.originalUrl = req.url;
    for (const middleware of middlewares) middleware(req, res, () => undefined);
    void handlers[1](req, res, () => undefined);
  };
  const host = Object.assign(listener, {
    // As in Express, they are its own: the server changes them.
    request: Object.create(IncomingMessage.prototype),
    response: Object.create(ServerResponse.prototype),
    disable: () => host,
    set: () => host,
    router: { stack },
    use: (handler: RequestHandler) => stack.push({ handle: handlers.push(handler) }),
  });
  mountRoutes(host as unknown as Express, service);
  return host as unknown as Express;
}
`;

const THREAD_OFF: Edit = {
  path: 'store/sqlite/index.js',
  from: "writerThread = __filename.endsWith('.js')",
  to: 'writerThread = false',
};

const ROUTES_OFF: Edit = {
  path: 'http/direct-routes.js',
  from: 'const mounted = mountedIn.get(app);',
  to: 'const mounted = undefined;',
};

/** The measured services. `without-` are those of `tricks.ts`: the same with one optimisation switched off. */
export const VARIANTS = {
  svcgen: { kinds: 1 },
  postgres: { kinds: 1 },
  'two-versions': { kinds: 1, versions: 2 },
  recorded: { kinds: 1, recorded: true },
  'recorded-postgres': { kinds: 1, recorded: true },
  kubernetes: { kinds: 1, recorded: true, kubernetes: true },
  'with-site': { kinds: 1, site: 'text' },
  referring: { kinds: 1, site: 'reference' },
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
  'one-thread': { kinds: 1, edits: [THREAD_OFF] },
  'without-rows': {
    kinds: 1,
    edits: [
      {
        path: 'store/sqlite/store.js',
        from: 'return this.#hot.get(kind, uid, () => ',
        to: 'return ((read) => read())(() => ',
      },
    ],
  },
  'without-remembered-rows': {
    kinds: 1,
    edits: [
      {
        path: 'api/writes/change.js',
        from: 'const isChecked = asksUser ||',
        to: 'const isChecked = true ||',
      },
    ],
  },
  'without-wal-index': {
    kinds: 1,
    edits: [
      {
        path: 'store/sqlite/cache/database-state.js',
        from: 'if (applied?.states === undefined)',
        to: 'if (true)',
      },
    ],
  },
  'without-direct-routes': { kinds: 1, edits: [ROUTES_OFF] },
  'middlewares-without-direct-routes': {
    kinds: 1,
    files: { 'src/app.ts': WITH_MIDDLEWARES, 'src/middlewares.ts': MIDDLEWARES },
    edits: [ROUTES_OFF],
  },
  'without-typed-prototypes': {
    kinds: 1,
    edits: [
      {
        path: 'http/direct-routes.js',
        from: 'res.locals ??= Object.create(null);',
        to: `for (const each of [req, res]) {
          const own = Object.getPrototypeOf(each);
          Object.setPrototypeOf(each, (own.other ??= Object.create(own)));
        }
        res.locals ??= Object.create(null) ;`,
      },
    ],
  },
  'without-accept-cache': {
    kinds: 1,
    edits: [
      {
        path: 'http/headers/repeated-headers.js',
        from: 'const found = known.get(header);',
        to: 'const found = undefined;',
      },
    ],
  },
  'without-joined-lists': {
    kinds: 1,
    edits: [
      {
        path: 'store/sqlite/store.js',
        from: 'return this.#reading.ofKind(kind, undefined, (id) => this.#list.texts(id, query, version));',
        to: 'return void 0;',
      },
    ],
  },
  'without-list-states': {
    kinds: 1,
    edits: [{ path: 'store/sqlite/store.js', from: 'return this.#lists.of(kind);', to: 'return void 0 ;' }],
  },
  'without-repeated-lists': {
    kinds: 1,
    edits: [
      {
        path: 'api/reads/repeated-lists.js',
        from: 'if (list.isRepeated === undefined)',
        to: 'if (true)',
      },
    ],
  },
  'without-gathering': {
    kinds: 1,
    edits: [{ path: 'store/group-commit.js', from: 'const GATHERING = 0.2;', to: 'const GATHERING = 0;' }],
  },
  'without-long-log': {
    kinds: 1,
    edits: [
      { path: 'store/sqlite/file/setup.js', from: 'const LOG_PAGES = 4000;', to: 'const LOG_PAGES = 1000;' },
    ],
  },
  '10-kinds': { kinds: 10 },
  '300-kinds': { kinds: 300 },
  '500-kinds': { kinds: 500 },
} satisfies { [name: string]: Variant };

export type VariantName = keyof typeof VARIANTS;

/** Generates and compiles a variant with the svcgen of a checkout; returns the path of the script to run. */
export function build(name: VariantName, root = ROOT): string {
  const folder = join(root, WORK_PATH, name);
  const { files = {}, edits = [], ...size }: Variant = VARIANTS[name];
  writeProject(folder, projectText(size));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.trimStart());
  }
  node(join(root, SVCGEN_PATH), ['generate', '--project', folder]);
  // The tests of svcgen check types; here that would only take time.
  node(join(root, TSC_PATH), ['-p', join(folder, 'tsconfig.build.json'), '--noCheck']);
  cpSync(join(folder, 'src/generated/openapi.json'), join(folder, 'dist/generated/openapi.json'));
  for (const { path, from, to } of edits) replaceText(join(folder, 'dist/generated/runtime', path), from, to);
  return join(folder, 'dist', 'main.js');
}

function replaceText(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  // A build with nothing to compile leaves the previous output.
  if (text.includes(to)) return;
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/** Writes a project.yaml, alone in its folder or in place of another. */
export function writeProject(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'project.yaml'), text);
}

const SVCGEN_PATH = join('bin', 'svcgen.js');

/** The command line of svcgen. */
export const SVCGEN = join(ROOT, SVCGEN_PATH);

/** Runs the command line of svcgen. Throws its output when it fails. */
export function svcgen(...args: string[]): void {
  node(SVCGEN, args);
}

/** Runs a script. Throws its output when it fails. */
export function node(script: string, args: string[]): void {
  run([script, ...args]);
}

function run(args: string[], env = process.env): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Cost of a run. */
export interface Cost {
  /** Elapsed seconds. */
  wall: number;
  /** Seconds of CPU time, user and system. */
  cpu: number;
  /** Maximum memory, in MiB. */
  memory: number;
}

/** Runs a script and returns its cost. Throws its output when it fails. */
export function costOf(script: string, args: string[]): Cost {
  mkdirSync(WORK, { recursive: true });
  const file = join(WORK, 'cost.json');
  const start = performance.now();
  run(['--require', join(__dirname, 'cost.js'), script, ...args], { ...process.env, COST_FILE: file });
  const wall = (performance.now() - start) / 1000;
  return { wall, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Cost, 'wall'>) };
}

/**
 * Size of a project of the benchmarks: kinds like the first, or small ones, in one version or several. Kinds like the
 * first have a field of another name, and one of other values, in each version but v1.
 */
export interface ProjectSize {
  kinds: number;
  versions?: number;
  recorded?: boolean;
  kubernetes?: boolean;
  site?: Variant['site'];
  likeTheFirst?: boolean;
}

/** Returns the project.yaml of a service with the kind Device and others. */
export function projectText({
  kinds,
  versions = 1,
  recorded = false,
  kubernetes = false,
  site,
  likeTheFirst = false,
}: ProjectSize): string {
  const names = Array.from({ length: versions }, (_, index) => (index === 0 ? 'v1' : `v1beta${index}`));
  const device = (name: string): string => `
      - name: ${name}
        specVersioning: ${recorded}
        versions:${names.map((each) => (likeTheFirst && each !== 'v1' ? spoke(each) : withSite(version(each), site))).join('')}`;
  const others = Array.from({ length: kinds - 1 }, (_, index) =>
    likeTheFirst ? device(`Device${index + 1}`) : smallKind(`Kind${index + 1}`),
  );
  return `name: bench
events: ${recorded}
${kubernetes ? 'kubernetes: true' : ''}
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
    kinds:${device('Device')}${others.join('')}${site === undefined ? '' : SITE}
`;
}

const SITE = `
      - name: Site
        names: unique
        versions: { v1: { spec: {} } }`;

/** Adds the site to the fields of a version. */
function withSite(text: string, site: Variant['site']): string {
  if (site === undefined) return text;
  if (site === 'text') return text.replace('model: string', 'model: string\n              site: string');
  return text
    .replace('name: { type: string, ', 'name: { type: string, selectable: true, ')
    .replace(
      'model: string',
      'model: { type: string, selectable: true }\n              site: { type: string, ref: Site }',
    );
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
