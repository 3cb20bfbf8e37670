import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, send } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

/** The test project with events, NATS among their consumers. */
export const project = { ...testProject(), events: true, nats: true };

/** Limits with which failures pass quickly. */
export const QUICK = {
  EVENTS_POLL_MS: '5',
  EVENTS_RETRY_MS: '5',
  EVENTS_MAX_RETRY_MS: '20',
};

/** Serves the test project with events. */
export function startDevices(options: TestOptions = {}): Promise<TestService> {
  return startService(project, { ...options, environment: { ...QUICK, ...options.environment } });
}

const SPEC = { name: 'lamp', location: 'hall' };

/** Creates a Device and gives its uid. */
export async function createDevice(port: number, name = 'lamp', labels = {}): Promise<string> {
  const { resource } = await create(port, '/devices', { ...SPEC, name }, { name, labels });
  return resource.metadata.uid;
}

/** Replaces a Device's name. */
export async function rename(port: number, uid: string, name: string): Promise<void> {
  await expectOk(
    send(port, 'PUT', `/devices/${uid}`, { headers: JSON_TYPE, body: { spec: { ...SPEC, name } } }),
  );
}

/** Replaces a Device's status. */
export async function setPhase(port: number, uid: string, phase: string): Promise<void> {
  const body = { status: { phase } };
  await expectOk(send(port, 'PUT', `/devices/${uid}/status`, { headers: JSON_TYPE, body }));
}

export async function remove(port: number, uid: string): Promise<void> {
  await expectOk(send(port, 'DELETE', `/devices/${uid}`));
}

export async function listDevices(port: number, query = ''): Promise<Resource[]> {
  return JSON.parse((await send(port, 'GET', `/devices?${query}`)).text) as Resource[];
}

async function expectOk(response: ReturnType<typeof send>): Promise<void> {
  const { status, text } = await response;
  if (status !== 200) throw new Error(`${status} ${text}`);
}

/** Resolves when the condition holds; a test's own time-out ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
