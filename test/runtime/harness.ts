import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import express, { type Express } from 'express';
import ts from 'typescript';
import { convertFile } from '../../src/conversions';
import { versionSchemas } from '../../src/json-schema';
import type { Group, Kind, KindVersion as KindVersionModel, Project } from '../../src/model';
import { validatorModule } from '../../src/render/validators';
import type { KindDefinition, KindHooks, KindVersion, ServiceDefinition } from '../../templates/runtime/kind';
import type { KindRoutes, ResourceEndpoints } from '../../templates/runtime/endpoints';
import { mount } from '../../templates/runtime/mount';
import { observerOf } from '../../templates/runtime/observer';
import type { JsonObject } from '../../templates/runtime/schema';
import { createTypedServer } from '../../templates/runtime/server';
import { openService, type Service } from '../../templates/runtime/service';
import { readSettings } from '../../templates/runtime/settings';

/** A service of the runtime that runs in the test's process: real HTTP, a real SQLite database. */
export interface TestService {
  url: string;
  port: number;
  service: Service;
  /** How many connections are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** What a test may choose. */
export interface TestOptions {
  environment?: { [name: string]: string };
  /** Per kind. */
  hooks?: { [kind: string]: KindHooks };
  /** Put in front of the routes. */
  middleware?: (app: Express) => void;
  /** The OpenAPI document, for tests that read it; empty by default. */
  openapi?: JsonObject;
}

/** Serves a project's kinds without rendering them to files. */
export async function startService(project: Project, options: TestOptions = {}): Promise<TestService> {
  const settings = readSettings({
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent',
    ...options.environment,
  });
  const service = await openService(serviceDefinition(project), settings);
  const app = createApp(service, project, options);
  const server: Server = createTypedServer(app, settings, observerOf(service));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    service,
    connections: promisify(server.getConnections.bind(server)),
    async close() {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

/** The application of a project, as its src/app.ts would make it. */
export function createApp(
  service: Service,
  project: Project,
  { middleware, hooks, openapi = {} }: TestOptions,
): Express {
  const app = express();
  middleware?.(app);
  const kinds = project.groups.flatMap((group) =>
    group.kinds.map((kind) => kindDefinition(group, kind, hooks?.[kind.name] ?? {})),
  );
  mount(
    app,
    service,
    kinds.map((kind) => ({ kind, routes: (api) => routesOf(kind, api) })),
    () => openapi,
  );
  return app;
}

/** A project as the generated src/generated/service.ts would hold it. */
export function serviceDefinition({
  name,
  validation,
  events,
  requireIfMatch,
  cacheControl,
  groups,
}: Project): ServiceDefinition {
  return {
    name,
    validation,
    events,
    requireIfMatch,
    cacheControl,
    groups: groups.map((group) => ({
      name: group.name,
      storageVersion: group.storageVersion,
      versions: group.versions,
      deprecations: group.deprecations,
      kinds: Object.fromEntries(
        group.kinds.map((kind) => [kind.name, kind.versions.map(({ version }) => version)]),
      ),
    })),
  };
}

/** A kind as the generated code would hold it. */
export function kindDefinition(group: Group, kind: Kind, hooks: KindHooks): KindDefinition {
  const { storageVersion } = group;
  const versions = kind.versions.map(
    (version) => [version.version, versionOf(group, kind, version, hooks)] as const,
  );
  const others = kind.versions.map(({ version }) => version).filter((version) => version !== storageVersion);
  return {
    group: group.name,
    kind: kind.name,
    plural: kind.plural,
    uidPrefix: kind.uidPrefix,
    storageVersion,
    servedVersions: [storageVersion, ...others],
    history: kind.history,
    versions: Object.fromEntries(versions),
    hooks,
  };
}

function versionOf(group: Group, kind: Kind, version: KindVersionModel, hooks: KindHooks): KindVersion {
  const schemas = versionSchemas(group, kind, version);
  const validators = evaluate(validatorModule(schemas, RUNTIME), hooks);
  const converter =
    version.version === group.storageVersion ? {} : evaluate(convertFile({ group, kind, version }), hooks);
  return { ...schemas, ...validators, ...converter } as KindVersion;
}

function routesOf({ history }: KindDefinition, api: ResourceEndpoints): KindRoutes {
  return {
    collection: { GET: api.list, POST: api.create },
    item: { GET: api.get, PUT: api.replace, PATCH: api.patch, DELETE: api.remove },
    status: { PUT: api.replaceStatus, PATCH: api.patchStatus },
    ...(history && {
      versions: { GET: api.listVersions },
      version: { GET: api.getVersion, DELETE: api.deleteVersion },
    }),
  };
}

const RUNTIME = '../../templates/runtime';

/** Runs generated TypeScript as Node would run the compiled file; `hooks` are the kind's own file. */
function evaluate(source: string, hooks: KindHooks): object {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  const load = (id: string): unknown => {
    if (id.includes('/kinds/')) return hooks;
    return require(id.replace(/^(\.\.\/)+runtime\//, `${RUNTIME}/`));
  };
  const exports = {};
  new Function('require', 'exports', outputText)(load, exports);
  return exports;
}
