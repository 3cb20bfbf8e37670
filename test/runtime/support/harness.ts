import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import express, { type Express } from 'express';
import { type VersionSchemas, versionSchemas } from '../../../src/model/json-schema';
import type { Group, Kind, KindVersion as KindVersionModel, Project } from '../../../src/model/project';
import { Conversions } from '../../../src/plan/conversions';
import { dataOf } from '../../../src/plan/kind-data';
import { plannedProject } from '../../../src/plan/planned-project';
import { convertFile, viewFile } from '../../../src/render/kinds/conversion-files';
import { validatorModule } from '../../../src/render/kinds/validators';
import { consoleContent } from '../../../src/render/service/console-files';
import { kubernetesContent } from '../../../src/render/service/kubernetes-files';
import type { KindRoutes, ResourceEndpoints } from '../../../templates/runtime/api/endpoints';
import { consolePages } from '../../../templates/runtime/console';
import { data } from '../../../templates/runtime/data';
import { events as publishEvents } from '../../../templates/runtime/events';
import { natsSink } from '../../../templates/runtime/events/nats/nats-sink';
import type { EventsOptions } from '../../../templates/runtime/events/sinks';
import { history } from '../../../templates/runtime/history/feature';
import { observerOf } from '../../../templates/runtime/http/observer';
import { required } from '../../../templates/runtime/http/security/required';
import { createTypedServer } from '../../../templates/runtime/http/server';
import { kubernetes } from '../../../templates/runtime/kubernetes';
import { owning } from '../../../templates/runtime/kubernetes/ownership/versioning';
import { metrics } from '../../../templates/runtime/metrics';
import type { KindDefinition, KindHooks, KindVersion } from '../../../templates/runtime/model/kinds/kind';
import type { KindData } from '../../../templates/runtime/model/kinds/kind-data';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { mount, type MountedKind } from '../../../templates/runtime/mount';
import { openService } from '../../../templates/runtime/open-service';
import { pages } from '../../../templates/runtime/pages';
import type { ServiceDefinition } from '../../../templates/runtime/service/definition';
import type { Service } from '../../../templates/runtime/service/service';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { versioning, versions } from '../../../templates/runtime/versions';
import { supervise } from '../../../templates/runtime/workers';
import { PATIENCE } from '../../support/patience';
import { runTypeScript } from '../../support/run-typescript';
import { databasesWith } from '../store/open-store';

/** A service of the runtime that runs in the test's process: real HTTP, a real SQLite database. */
export interface TestService {
  url: string;
  port: number;
  service: Service;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Options of a test. */
export interface TestOptions {
  environment?: { [name: string]: string };
  /** Per kind. */
  hooks?: { [kind: string]: KindHooks };
  /** Declarations about names, fields and references instead of the project's, by kind. */
  data?: { [kind: string]: KindData };
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
    ...PATIENCE,
    ...options.environment,
  });
  const kinds = mountedKinds(project, options.hooks, options.data);
  const service = await openService(serviceDefinition(project, kinds), settings);
  const app = appOf(service, kinds, options);
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
export function createApp(service: Service, project: Project, options: TestOptions): Express {
  return appOf(service, mountedKinds(project, options.hooks, options.data), options);
}

function appOf(service: Service, kinds: MountedKind[], { middleware, openapi = {} }: TestOptions): Express {
  const app = express();
  middleware?.(app);
  mount(app, service, kinds, () => openapi);
  return app;
}

/** The kinds of a project, as its src/generated/routes.ts would list them. */
export function mountedKinds(
  project: Project,
  hooks: TestOptions['hooks'] = {},
  data: TestOptions['data'] = {},
): MountedKind[] {
  return project.groups.flatMap((group) =>
    group.kinds.map((model) => {
      const declared =
        data[model.name] ?? dataOf({ group, kind: model, conversions: new Conversions(group, model) });
      const kind: KindDefinition = {
        ...kindDefinition(group, model, hooks[model.name] ?? {}),
        ...(declared && { data: declared }),
      };
      return { kind, routes: (api: ResourceEndpoints) => routesOf(kind, api) };
    }),
  );
}

const sdk = () => import('../../../templates/runtime/cloudevents/sdk');

function eventsOptions({ nats, kubernetes }: Project): EventsOptions {
  return { sdk, ...(nats && { nats: natsSink }), ...(kubernetes && { storesStates: true }) };
}

/** A project as the generated src/generated/service.ts would hold it. */
export function serviceDefinition(project: Project, kinds: MountedKind[] = []): ServiceDefinition {
  const { name, validation, events, requireIfMatch, cacheControl, security, groups } = project;
  const hasData = kinds.some(({ kind }) => kind.data !== undefined);
  return {
    name,
    validation,
    requireIfMatch,
    cacheControl,
    databases: databasesWith({ events: project.events, indexing: hasData }),
    workers: supervise,
    features: [
      pages,
      metrics,
      history,
      versions,
      ...(hasData ? [data(() => Promise.resolve(kinds))] : []),
      ...(events ? [publishEvents(eventsOptions(project))] : []),
      ...(project.console ? [consolePages(consoleContent(plannedProject(project)))] : []),
      ...(project.kubernetes ? [kubernetes(kubernetesContent(plannedProject(project)))] : []),
    ],
    ...(security.length > 0 && { security: required(security) }),
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
    ...(others.length > 0 && { versioning: kind.ownedFields ? owning(versioning) : versioning }),
  };
}

function versionOf(group: Group, kind: Kind, version: KindVersionModel, hooks: KindHooks): KindVersion {
  const schemas = versionSchemas(group, kind, version);
  const validators = evaluate(validatorsOf(schemas), hooks);
  if (version.version === group.storageVersion)
    return { ...schemas, ...validators } as unknown as KindVersion;
  const conversions = new Conversions(group, kind);
  const converter = evaluate(convertFile({ group, kind, conversions, version }), hooks);
  const views = kind.versions
    .filter((shown) => shown !== version)
    .map((shown) => [
      shown.version,
      evaluate(viewFile({ group, kind, conversions, version, shown }), hooks)['converter'],
    ]);
  return {
    ...schemas,
    ...validators,
    ...converter,
    views: Object.fromEntries(views) as KindVersion['views'],
  } as unknown as KindVersion;
}

/** Modules by their schemas: many tests of a file start the same project, and a module takes tens of milliseconds. */
const modules = new Map<string, string>();

function validatorsOf(schemas: VersionSchemas): string {
  const key = JSON.stringify(schemas);
  const source = modules.get(key) ?? validatorModule(schemas, RUNTIME);
  modules.set(key, source);
  return source;
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

const RUNTIME = '../../../templates/runtime';

/** Runs generated TypeScript; `hooks` are the kind's own file. */
function evaluate(source: string, hooks: KindHooks): { [name: string]: unknown } {
  return runTypeScript(source, (id) => {
    if (id.includes('/kinds/')) return hooks;
    return require(id.replace(/^(\.\.\/)+runtime\//, `${RUNTIME}/`));
  });
}
