import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Express } from 'express';
import type { ServiceDefinition } from './kind';
import { observerOf } from './observer';
import { createTypedServer } from './server';
import { openService, type Service } from './service';
import { readSettings, type Settings } from './settings';
import { supervise } from './workers/supervise';
import { CLOSING, onMessage, workerNumber } from './workers/worker';

/**
 * Runs the service until SIGTERM or SIGINT: opens the store, makes the app, listens, starts the controllers. On a
 * signal it stops being ready, lets requests under way finish and exits 0. A database that is refused exits 1 with
 * the reason. With WORKERS above 1, that many processes do so, and this one supervises them.
 */
export async function serve(
  definition: ServiceDefinition,
  createApp: (service: Service) => Express,
  startControllers: (service: Service) => void = () => undefined,
): Promise<void> {
  const refuse = (error: Error): never => {
    process.stderr.write(`${definition.name} does not start: ${error.message}\n`);
    process.exit(1);
  };
  const settings = settingsOr(refuse);
  if (settings.WORKERS > 1 && cluster.isPrimary) return supervise(definition, settings).catch(refuse);
  const service = await openService(definition, settings).catch(refuse);
  const { HOST, PORT } = settings;
  const app = orExit(service, () => createApp(service));
  const server = createTypedServer(app, service.settings, observerOf(service));
  server.on('error', (error) => {
    process.stderr.write(`${definition.name} cannot listen on ${HOST}:${PORT}: ${error.message}\n`);
    process.exit(1);
  });
  server.listen(PORT, HOST, () => {
    const { port } = server.address() as AddressInfo;
    service.logger[level]({ host: HOST, port }, 'listening');
    orExit(service, () => startControllers(service));
  });
  stopWhenTold((reason) => void stop(server, service, reason));
}

/** Of workers, the process that supervises them tells these things once for all. */
const level = workerNumber() === undefined ? 'info' : 'debug';

function settingsOr(refuse: (error: Error) => never): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    return refuse(error as Error);
  }
}

/**
 * Calls back once, when a signal comes, or to a worker the word of the process that supervises it. A second signal, such as
 * that of npm, which passes on what a terminal has sent to all, must not end the process before its time.
 */
function stopWhenTold(callback: (reason: object) => void): void {
  let told = false;
  const once = (reason: object): void => {
    if (!told) callback(reason);
    told = true;
  };
  process.on('SIGTERM', (signal) => once({ signal }));
  if (workerNumber() === undefined) {
    process.on('SIGINT', (signal) => once({ signal }));
    return;
  }
  onMessage(({ say }) => say === 'stop' && once({}));
  // A terminal sends it to every process of its group.
  process.on('SIGINT', () => undefined);
}

/** What the user's own code makes. It may refuse to start, such as a middleware without its secret. */
function orExit<T>(service: Service, make: () => T): T {
  try {
    return make();
  } catch (error) {
    service.logger.fatal({ err: error }, 'does not start');
    process.stderr.write(`${service.definition.name} does not start: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

/**
 * Keeps answering, `/readyz` with 503, while requests are under way. For half of the time new connections are
 * taken too; then those that are left have the other half.
 */
async function stop(server: Server, service: Service, reason: object): Promise<void> {
  service.draining = true;
  service.events.stop();
  service.logger[level](reason, 'stopping');
  const half = service.settings.SHUTDOWN_TIMEOUT_MS / 2;
  await noConnections(server, half);
  server.close();
  await noConnections(server, half);
  server.closeAllConnections();
  // All that was answered is durable. A database that does not answer now is not waited for.
  await Promise.race([service.close(), setTimeout(CLOSING)]);
  service.logger[level]('stopped');
  process.exit(0);
}

/** Resolves when no connection has a request under way, at the latest after `patience` milliseconds. */
async function noConnections(server: Server, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  const connections = promisify(server.getConnections.bind(server));
  for (;;) {
    server.closeIdleConnections();
    if ((await connections()) === 0 || performance.now() >= deadline) return;
    await setTimeout(20);
  }
}
