import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { ProjectError } from '../../../src/model/problem';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { combinations, projectOf } from '../../conversion/combinations';
import { changed, movedBack, Served, specsOf } from '../../conversion/moving';
import { JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { migrateHere } from './migrate-here';

// The law of moving the hub for random combinations of rules, over HTTP and on a database in a file.

const COMBINATIONS = Number(process.env['COMBINATIONS'] ?? 3);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'combinations-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (version: string, rest = ''): string => `/apis/g.svc.dev/${version}/things${rest}`;

/** A project, and what it is after the hub has moved there and back. */
interface Move {
  before: Served;
  after: Served;
  back: Served | undefined;
}

function moves(): Move[] {
  const found: Move[] = [];
  for (const combination of fc.sample(combinations, 10 * COMBINATIONS)) {
    const before = new Served(projectOf(combination), {});
    try {
      const after = before.moved('v1beta1', {});
      found.push({ before, after, back: movedBack(after, {}) });
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
    }
    if (found.length === COMBINATIONS) break;
  }
  return found;
}

async function during<T>({ project }: Served, action: (service: TestService) => Promise<T>): Promise<T> {
  const environment = { DATABASE_URL: `sqlite:${folder}/store.db` };
  const service = await startService(project, { environment });
  try {
    return await action(service);
  } finally {
    await service.close();
  }
}

/** Resources of every version, some of them changed through another. */
async function fill(service: TestService, served: Served): Promise<void> {
  const { port } = service;
  const specs = Object.fromEntries(
    served.versions.map((version) => [version, fc.sample(specsOf(served, version), 6)]),
  );
  for (const version of served.versions) {
    for (const [i, spec] of specs[version].entries()) {
      const { status, text } = await send(port, 'POST', pathOf(version), {
        headers: JSON_TYPE,
        body: { spec },
      });
      expect([201, 400]).toContain(status);
      if (status === 400) continue;
      const { metadata } = JSON.parse(text) as Resource;
      for (const other of served.versions) {
        const wanted = specs[other].at(i - 1)!;
        const path = pathOf(other, `/${metadata.uid}`);
        const read = JSON.parse((await send(port, 'GET', path)).text) as Resource;
        await send(port, 'PUT', path, {
          headers: JSON_TYPE,
          body: { spec: changed(read.spec, wanted, i) },
        });
      }
    }
  }
}

/** The texts of all resources and snapshots in every version, by path. */
async function texts({ port }: TestService, { versions }: Served): Promise<{ [path: string]: string }> {
  const found: { [path: string]: string } = {};
  const get = async (path: string) => (found[path] = (await send(port, 'GET', path)).text);
  for (const version of versions) {
    const resources = JSON.parse(await get(pathOf(version))) as Resource[];
    for (const { metadata } of resources) {
      await get(pathOf(version, `/${metadata.uid}`));
      const snapshots = JSON.parse(await get(pathOf(version, `/${metadata.uid}/versions`))) as Snapshot[];
      for (const { versionId } of snapshots)
        await get(pathOf(version, `/${metadata.uid}/versions/${versionId}`));
    }
  }
  return found;
}

/** Sends back what each version reads of each resource. */
async function rewrite({ port }: TestService, { versions }: Served): Promise<void> {
  for (const version of versions) {
    const resources = JSON.parse((await send(port, 'GET', pathOf(version))).text) as Resource[];
    for (const { metadata, spec } of resources) {
      const path = pathOf(version, `/${metadata.uid}`);
      const { status, text } = await send(port, 'PUT', path, { headers: JSON_TYPE, body: { spec } });
      expect([path, spec, status, text]).toEqual([path, spec, 200, expect.any(String)]);
      expect((JSON.parse(text) as Resource).spec).toEqual(spec);
    }
  }
}

/** The specs of all resources, by path. */
function specsIn(all: { [path: string]: string }): { [path: string]: JsonObject } {
  const items = Object.entries(all).filter(([path]) => /\/thi-\w+$/.test(path));
  return Object.fromEntries(items.map(([path, text]) => [path, (JSON.parse(text) as Resource).spec]));
}

test('random combinations of rules keep the law over HTTP', async () => {
  const all = moves();
  expect(all).toHaveLength(COMBINATIONS);
  for (const [i, { before, after, back }] of all.entries()) {
    const text = `seed ${fc.readConfigureGlobal().seed}, ${i}\n${before.text}`;
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'combinations-'));
    const first = await during(before, async (service) => {
      await fill(service, before);
      return texts(service, before);
    });
    const last = await during(after, async (service) => {
      expect({ text, ...(await texts(service, before)) }).toEqual({ text, ...first });
      await rewrite(service, after);
      const rewritten = await texts(service, before);
      expect({ text, ...specsIn(rewritten) }).toEqual({ text, ...specsIn(first) });
      return rewritten;
    });
    expect((await migrateHere(after.project, folder))[0]).toBe(0);
    await during(after, async (service) =>
      expect({ text, ...(await texts(service, before)) }).toEqual({ text, ...last }),
    );
    await during(back ?? after, async (service) =>
      expect({ text, ...(await texts(service, before)) }).toEqual({ text, ...last }),
    );
  }
});
