import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Express } from 'express';
import { Connections } from './http/connections';
import { observerOf } from './http/observer';
import { createTypedServer } from './http/server';
import { openService } from './open-service';
import { checkStart } from './service/check-start';
import type { ServiceDefinition } from './service/definition';
import { createLogger, type Logger } from './service/logger';
import { onNpmStopped } from './service/npm-start';
import type { Service } from './service/service';
import { CLOSING, onMessage, workerNumber } from './service/worker-process';
import { readSettings, type Settings } from './settings/settings';

/**
 * Runs the service until SIGTERM or SIGINT: opens the store, makes the app, listens, starts the controllers. On a
 * signal it stops being ready, lets requests under way finish and exits 0. A refused database exits 1 with the reason.
 * With WORKERS above 1, that many processes do so, and this one supervises them.
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
  const settings = settingsOr(definition, refuse);
  const started = endOnSignal(createLogger(definition.name, settings));
  if (settings.WORKERS > 1 && cluster.isPrimary)
    return definition.workers!(definition, settings).then(started).catch(refuse);
  const service = await openService(definition, settings).catch(refuse);
  const { HOST, PORT } = settings;
  const app = orExit(service, () => createApp(service));
  const server = orExit(service, () => createTypedServer(app, service.settings, observerOf(service)));
  const connections = new Connections(server);
  server.on('error', (error: NodeJS.ErrnoException) => {
    // A connection could not be accepted, for want of memory or file descriptors; the next one may be.
    if (server.listening) return service.logger.error({ err: error }, 'a connection was not accepted');
    const place = `${HOST || '*'}:${PORT}`;
    process.stderr.write(
      `${definition.name} cannot listen on ${place}: ${error.message}${hintOf(error, service.settings)}\n`,
    );
    process.exit(1);
  });
  // Without a host Node listens on every address: of IPv6, which serves IPv4 too, or of IPv4 where there is no IPv6.
  server.listen(PORT, HOST || undefined, () => {
    const { address, port } = server.address() as AddressInfo;
    service.logger[level]({ host: HOST || address, port }, 'listening');
    orExit(service, () => startControllers(service));
  });
  started();
  stopWhenTold((reason) => void stop({ server, connections }, service, reason));
}

/** Returns the way out for a service that cannot listen, to follow the system's reason. */
function hintOf({ code }: NodeJS.ErrnoException, { HOST, PORT }: Settings): string {
  if (code === 'EADDRINUSE')
    return `. Stop what listens there, or choose another port: PORT=${PORT < 65_535 ? PORT + 1 : PORT - 1} npm start`;
  if (code === 'EACCES') return '. A PORT below 1024 requires more privileges';
  return HOST === '' ? '' : '. HOST must be an IP address of this machine, without brackets and a port';
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Lets a signal end a process that is still starting: there is no request yet, and the database loses nothing. The first
 * process of a container would not notice a signal that nothing handles. Returns a function that ends this.
 */
function endOnSignal(logger: Logger): () => void {
  const end = (signal: NodeJS.Signals): void => {
    // A terminal sends SIGINT to the supervising process too, which ends its workers.
    if (signal === 'SIGINT' && workerNumber() !== undefined) return;
    logger[level]({ signal }, 'stopped');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return () => SIGNALS.forEach((signal) => process.off(signal, end));
}

/** The supervising process logs this once for all workers. */
const level = workerNumber() === undefined ? 'info' : 'debug';

function settingsOr(definition: ServiceDefinition, refuse: (error: Error) => never): Settings {
  try {
    const settings = readSettings(process.env);
    checkStart(definition, settings);
    return settings;
  } catch (error) {
    return refuse(error as Error);
  }
}

/**
 * Calls back once: on a signal, when `npm start` was stopped, or in a worker on a message of the supervising process. A
 * second signal must not end the process early; npm sends one when the terminal has sent one to all.
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
    onNpmStopped(once);
    return;
  }
  onMessage(({ say }) => say === 'stop' && once({}));
  // A terminal sends it to every process of its group.
  process.on('SIGINT', () => undefined);
}

/** Returns the result of user-owned code, which may refuse to start, such as a middleware without its secret. */
function orExit<T>(service: Service, make: () => T): T {
  try {
    return make();
  } catch (error) {
    service.logger.fatal({ err: error }, 'does not start');
    process.stderr.write(`${service.definition.name} does not start: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

/** A server that listens, and its connections. */
interface Listening {
  server: Server;
  connections: Connections;
}

/**
 * Stops the service. During the delay only `/readyz` changes, to 503: a load balancer sends requests until it has asked. Then
 * the service still responds while requests are under way. New connections are accepted for half of the time; the remaining
 * requests have the other half.
 */
async function stop(listening: Listening, service: Service, reason: object): Promise<void> {
  const { server, connections } = listening;
  service.draining = true;
  service.logger[level](reason, 'stopping');
  const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = service.settings;
  if (SHUTDOWN_DELAY_MS > 0) await setTimeout(SHUTDOWN_DELAY_MS);
  for (const part of service.parts) part.stop?.();
  const half = SHUTDOWN_TIMEOUT_MS / 2;
  await noConnections(listening, half);
  server.close();
  await noConnections(listening, half);
  connections.closeAll();
  // Every confirmed write is durable. A database that does not respond now is not waited for.
  await Promise.race([service.close(), setTimeout(CLOSING)]);
  service.logger[level]('stopped');
  process.exit(0);
}

/** Resolves when no connection has a request under way, at the latest after `patience` milliseconds. */
async function noConnections({ server, connections }: Listening, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  const count = promisify(server.getConnections.bind(server));
  for (;;) {
    connections.closeIdle();
    if ((await count()) === 0 || performance.now() >= deadline) return;
    await setTimeout(20);
  }
}
