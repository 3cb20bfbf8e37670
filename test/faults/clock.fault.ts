import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resource } from '../../templates/runtime/model/resource';
import { createDevice, JSON_TYPE, resourceOf, send } from './support/client';
import { type Contents, halves, readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { startService } from './support/service';

const HOUR = 3_600_000;

/** Where the clock goes, in ms from the right time; `restart`: the service starts anew there. */
const STEPS: { to: number; restart?: boolean }[] = [
  { to: 0 },
  { to: -HOUR },
  { to: -HOUR - 1 },
  { to: 2 * HOUR },
  { to: -48 * HOUR, restart: true },
  { to: 0, restart: true },
];

fault('the clock steps back, SQLite', {
  async check({ hooks = [] }: Breakage) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-clock-'));
    const clock = join(folder, 'clock');
    const url = `sqlite:${folder}/service.db`;
    const wrong = { hooks: ['clock', ...hooks], environment: { FAULT_CLOCK: clock } };
    let service = await startService(url, wrong);
    try {
      const path = (await createDevice(service.port, 'first')).headers.location!;
      const seen: Resource[] = [];
      for (const { to, restart } of STEPS) {
        writeFileSync(clock, String(to));
        if (restart) {
          await service.kill();
          service = await startService(url, wrong);
        }
        for (let n = 0; n < 5; n++) {
          const body = { spec: { name: `${to} ${n}` } };
          const spec = await send(service.port, 'PUT', path, { headers: JSON_TYPE, body });
          const status = { status: { message: `${to} ${n}` } };
          seen.push(resourceOf(spec));
          seen.push(
            resourceOf(
              await send(service.port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body: status }),
            ),
          );
        }
      }
      const times = seen.map(({ metadata }) => Date.parse(metadata.updatedAt));
      demand(ascends(times), 'updatedAt goes backwards');
      const { text } = await send(service.port, 'GET', `${path}/versions`);
      const listed = (JSON.parse(text) as { versionId: string; spec: { name: string } }[]).slice(1);
      const written = seen.filter((_, index) => index % 2 === 0).map(({ spec }) => spec['name']);
      demand(ascends(listed.map(({ versionId }) => versionId)), 'ids of snapshots do not sort');
      demand(String(listed.map(({ spec }) => spec.name)) === String(written), 'snapshots are out of order');
      const contents = readContents(url) as Contents;
      const logged = contents.events.map(
        (event) => JSON.parse(event.text) as { time: string; data: { resource: Resource } },
      );
      demand(ascends(logged.map(({ time }) => Date.parse(time))), 'times of events go backwards');
      const names = logged.slice(1).map(({ data }) => data.resource.spec['name']);
      demand(String(names) === String(seen.map(({ spec }) => spec['name'])), 'events are out of order');
      const half = halves(contents);
      demand(half.length === 0, half[0]);
      return `${STEPS.length - 1} steps of the clock, ${seen.length} writes: times, snapshots and events in order`;
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'the clock is trusted': { hooks: ['trusts-the-clock'] } },
});

const ascends = (values: (number | string)[]): boolean =>
  values.every((value, index) => index === 0 || values[index - 1] <= value);
