import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Express } from 'express';
import type { ServiceDefinition } from './kind';
import { observerOf } from './observer';
import { createTypedServer } from './server';
import { openService, type Service } from './service';

/**
 * Runs the service until SIGTERM or SIGINT: opens the store, makes the app, listens, starts the controllers. On a
 * signal it stops being ready, lets requests under way finish and exits 0. A database that is refused exits 1 with
 * the reason.
 */
export async function serve(
  definition: ServiceDefinition,
  createApp: (service: Service) => Express,
  startControllers: (service: Service) => void = () => undefined,
): Promise<void> {
  const service = await openService(definition).catch((error: Error) => {
    process.stderr.write(`${definition.name} does not start: ${error.message}\n`);
    process.exit(1);
  });
  const { HOST, PORT } = service.settings;
  const app = orExit(service, () => createApp(service));
  const server = createTypedServer(app, service.settings, observerOf(service));
  server.on('error', (error) => {
    process.stderr.write(`${definition.name} cannot listen on ${HOST}:${PORT}: ${error.message}\n`);
    process.exit(1);
  });
  server.listen(PORT, HOST, () => {
    const { port } = server.address() as AddressInfo;
    service.logger.info({ host: HOST, port }, 'listening');
    orExit(service, () => startControllers(service));
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(server, service, signal));
  }
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
async function stop(server: Server, service: Service, signal: string): Promise<void> {
  service.draining = true;
  service.events.stop();
  service.logger.info({ signal }, 'stopping');
  const half = service.settings.SHUTDOWN_TIMEOUT_MS / 2;
  await noConnections(server, half);
  server.close();
  await noConnections(server, half);
  server.closeAllConnections();
  await service.close();
  service.logger.info('stopped');
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
