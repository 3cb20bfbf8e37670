import { setTimeout } from 'node:timers/promises';
import { device, devices } from '../runtime/kubernetes/devices';
import { JSON_TYPE, MERGE, send } from '../runtime/support/client';
import { type ServiceProcess, startProcess } from '../runtime/support/service-process';

const WRITERS = 4;

/** A device as a client is sent it. */
export interface Device {
  metadata: { name: string; resourceVersion: string; finalizers?: string[] };
  spec: { location: string };
  status: { phase?: string };
}

/** A write that has the same effect when it is repeated. */
export interface Write {
  method: 'POST' | 'PATCH' | 'DELETE';
  name: string;
  body?: object;
}

/** A service in a process of its own, at one port. */
export class KilledService {
  readonly #environment: { [name: string]: string };
  #process: Promise<ServiceProcess>;

  private constructor(
    databaseUrl: string,
    readonly port: number,
    process: ServiceProcess,
  ) {
    this.#environment = { DATABASE_URL: databaseUrl, PORT: String(port) };
    this.#process = Promise.resolve(process);
  }

  static async start(databaseUrl: string): Promise<KilledService> {
    const process = await startDevices({ DATABASE_URL: databaseUrl });
    return new KilledService(databaseUrl, process.port, process);
  }

  /** Kills the process as kill -9 does, and starts another one. */
  async restart(): Promise<void> {
    this.#process = this.close().then(() => startDevices(this.#environment));
    await this.#process;
  }

  async close(): Promise<void> {
    const { child, ended } = await this.#process;
    child.kill('SIGKILL');
    await ended;
  }

  /** Writes, and repeats it while the service is killed. */
  async write({ method, name, body }: Write): Promise<void> {
    const path = method === 'POST' ? devices() : `${devices()}/${name}`;
    const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
    // The first response may have been lost.
    const done = { POST: [201, 409], PATCH: [200], DELETE: [200, 404] }[method];
    for (;;) {
      const { port } = await this.#process;
      const response = await send(port, method, path, { headers, body, alone: true }).catch(() => undefined);
      if (response !== undefined && done.includes(response.status)) return;
      if (response !== undefined) throw new Error(`${method} ${name}: ${response.status} ${response.text}`);
      await setTimeout(20);
    }
  }

  async list(): Promise<Device[]> {
    const { text } = await send(this.port, 'GET', devices(), { alone: true });
    return (JSON.parse(text) as { items: Device[] }).items;
  }
}

function startDevices(environment: { [name: string]: string }): Promise<ServiceProcess> {
  return startProcess(environment, 'kubernetes/device-child.ts');
}

/** Returns a write that creates a device. */
export function creation(name: string, spec?: object): Write {
  return { method: 'POST', name, body: device(name, spec) };
}

/** Returns a write that changes the spec of a device. */
export function change(name: string, spec: object): Write {
  return { method: 'PATCH', name, body: { spec } };
}

/** Makes writes, several at once. Calls `at` with the number of those that are acknowledged. */
export async function writeAll(
  service: KilledService,
  writes: readonly Write[],
  at: (done: number) => void = () => undefined,
): Promise<void> {
  const waiting = [...writes];
  let done = 0;
  const writer = async (): Promise<void> => {
    for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
      await service.write(write);
      at(++done);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Makes writes while the service is killed and started again. */
export async function writeOverKill(service: KilledService, writes: readonly Write[]): Promise<void> {
  let restart = Promise.resolve();
  await writeAll(service, writes, (done) => {
    if (done !== Math.floor(writes.length / 2)) return;
    restart = service.restart();
    // Where it fails, so do the writes.
    restart.catch(() => undefined);
  });
  await restart;
}
