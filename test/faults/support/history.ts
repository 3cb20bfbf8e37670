import { setTimeout } from 'node:timers/promises';
import type { Resource } from '../../../templates/runtime/model/resource';
import { createDevice, type HttpResponse, JSON_TYPE, MERGE, resourceOf, send, type Sent } from './client';
import { deviceModel, type DeviceOperation, type DeviceState, type Input, type Output } from './device-model';
import { isLinearizable } from './linearizability';

/** Number of devices at a time, and of their clients. */
const DEVICES = 6;
const CLIENTS = 24;

/** Number of failed creations after which a device is given up: the store may be hard to reach. */
const ATTEMPTS = 50;

/** One device, and all that was done to it. */
interface Recorded {
  path: string;
  initial: DeviceState;
  operations: DeviceOperation[];
  /** The last states that clients saw, with their ETags. */
  seen: { etag: string; state: DeviceState };
}

const stateOf = ({ spec, status, metadata }: Resource): DeviceState => ({
  name: String(spec['name']),
  message: status?.['message'] as string | undefined,
  generation: metadata.generation,
});

/** Lets clients do `count` operations at once on a few devices, through any of the ports, and returns what each device saw. */
export async function record(ports: number[], count: number): Promise<Recorded[]> {
  const all: Recorded[] = [];
  let serial = 0;
  const port = (): number => ports[Math.floor(Math.random() * ports.length)];
  const create = async (): Promise<Recorded> => {
    const response = await created(port, () => `n${(serial += 1)}`);
    const initial = stateOf(resourceOf(response));
    const seen = { etag: response.headers.etag!, state: initial };
    const recorded = { path: response.headers.location!, initial, operations: [], seen };
    all.push(recorded);
    return recorded;
  };
  const living = await Promise.all(Array.from({ length: DEVICES }, create));
  const client = async (): Promise<void> => {
    for (; serial < count;) {
      const slot = Math.floor(Math.random() * DEVICES);
      const device = living[slot];
      const outcome = await operate(port(), device, `n${(serial += 1)}`);
      if (outcome === 'deleted') living[slot] = await create();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return all;
}

/** Creates a device; another one where the first may not have been created. */
async function created(port: () => number, name: () => string): Promise<HttpResponse> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await createDevice(port(), name());
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await setTimeout(20);
    }
  }
}

/** The share of each operation, in percent; `if`: only when nothing changed since a client saw the device. */
const MIX: [percent: number, input: (text: string, expected: DeviceState) => Input][] = [
  [30, () => ({ action: 'get' })],
  [15, (name) => ({ action: 'spec', name })],
  [20, (name, expected) => ({ action: 'spec', name, expected })],
  [18, (message) => ({ action: 'status', message })],
  [12, (message, expected) => ({ action: 'status', message, expected })],
  [2, () => ({ action: 'delete' })],
  [3, (_, expected) => ({ action: 'delete', expected })],
];

async function operate(port: number, device: Recorded, text: string): Promise<Output | undefined> {
  let chance = Math.random() * 100;
  const [, inputOf] = MIX.find(([percent]) => (chance -= percent) < 0)!;
  const { etag, state } = device.seen;
  const input = inputOf(text, state);
  const condition = 'expected' in input ? { 'If-Match': etag } : {};
  const called = performance.now();
  const response = await ask(port, device.path, input, condition).catch(() => undefined);
  const answered = performance.now();
  const output = response && outputOf(response);
  if (response !== undefined && typeof output === 'object')
    device.seen = { etag: response.headers.etag!, state: output };
  device.operations.push({ input, output, called, answered });
  return output;
}

function ask(port: number, path: string, input: Input, condition: Sent['headers']): Promise<HttpResponse> {
  switch (input.action) {
    case 'get':
      return send(port, 'GET', path);
    case 'spec': {
      const body = { spec: { name: input.name } };
      return input.expected === undefined
        ? send(port, 'PUT', path, { headers: JSON_TYPE, body })
        : send(port, 'PATCH', path, { headers: { ...MERGE, ...condition }, body });
    }
    case 'status':
      return send(port, 'PUT', `${path}/status`, {
        headers: { ...JSON_TYPE, ...condition },
        body: { status: { message: input.message } },
      });
    case 'delete':
      return send(port, 'DELETE', path, { headers: condition });
  }
}

/** Returns the result in a response; undefined when the outcome is unknown. */
function outputOf(response: HttpResponse): Output | undefined {
  const { status, text } = response;
  if (status === 404) return 'gone';
  if (status === 412) return 'unmet';
  if (status >= 500) return undefined;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return text.includes('deleted successfully') ? 'deleted' : stateOf(resourceOf(response));
}

/** The devices whose histories no order explains. */
export const unexplained = (devices: Recorded[]): Recorded[] =>
  devices.filter(({ initial, operations }) => !isLinearizable(operations, deviceModel(initial)));
