import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createDevice, send } from './support/client';
import { halves, readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { describeWithImages, fillDisk, makeImage } from './support/image';
import { type RunningService, SHIM, startService } from './support/service';
import { Writers } from './support/writers';

/** Duration of the disk's failure, in ms. */
const FAILING = 1_500;

/** A disk that can be made to fail. */
interface Disk {
  fail(): void;
  repair(): void;
  /** True if some writes still succeed: on a full disk those that fit into the log's file as it is. */
  isPartial: boolean;
}

/**
 * Lets the disk fail under writers that go on. Meanwhile writes are 503, reads work and /readyz says so; afterwards writes work
 * without a restart; all that was acknowledged is there, also after a restart, and nothing that was refused.
 */
async function failing(url: string, broken: Breakage, disk: Disk): Promise<string> {
  const service = await startService(url, broken);
  const writers = new Writers(8, true);
  try {
    const path = (await createDevice(service.port, 'read meanwhile')).headers.location!;
    writers.start(() => service.port);
    await writers.reach(200);
    disk.fail();
    const { refused: before } = writers;
    const until = performance.now() + FAILING;
    const isReady = async (): Promise<boolean> => (await send(service.port, 'GET', '/readyz')).status !== 503;
    let [reads, unready] = [0, 0];
    for (; performance.now() < until || writers.refused === before; reads++) {
      demand(performance.now() < until + 20_000, 'no write was refused');
      const { status } = await send(service.port, 'GET', path);
      demand(status === 200, `a GET got ${status}`);
      if (!(await isReady())) unready++;
      await setTimeout(2);
    }
    demand(unready > 0, 'it was ready all the time');
    demand(disk.isPartial || !(await isReady()), 'it is ready');
    disk.repair();
    const resumed = await resume(service);
    await writers.reach(writers.acknowledged + 200);
    await writers.stop();
    await verify(url, writers, path);
    await service.kill();
    const again = await startService(url, broken);
    await again.kill();
    await verify(url, writers, path);
    return (
      `${writers.refused} writes 503, ${reads} GETs meanwhile, writes again after ${resumed.toFixed(0)} ms; ` +
      `${writers.acknowledged} acknowledged, 0 lost, 0 half`
    );
  } finally {
    disk.repair();
    await Promise.all([writers.stop(), service.kill()]);
  }
}

/** Returns the time until a write succeeds, in ms. */
async function resume({ port }: RunningService): Promise<number> {
  const start = performance.now();
  while ((await send(port, 'GET', '/readyz')).status !== 200) {
    demand(performance.now() < start + 20_000, 'it does not resume');
    await setTimeout(5);
  }
  return performance.now() - start;
}

async function verify(url: string, writers: Writers, path: string): Promise<void> {
  const contents = await readContents(url);
  const resources = contents.resources.filter(({ uid }) => !path.endsWith(uid));
  const lost = writers.lost({ resources });
  demand(lost.length === 0, `${lost.length} writes lost, such as ${lost[0]}`);
  const half = halves(contents);
  demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
}

const CONTROLS: { [name: string]: Breakage } = {
  'errors are ignored': { hooks: ['ignores-errors'] },
  'never recovers': { hooks: ['deaf'] },
};

describeWithImages('a file system', () => {
  fault('a full disk, SQLite on ext4', {
    async check(broken) {
      const image = makeImage(24);
      const { fill, empty } = fillDisk(image.folder);
      const disk = { fail: fill, repair: empty, isPartial: true };
      return failing(`sqlite:${image.folder}/service.db`, broken, disk).finally(() => image.close());
    },
    controls: CONTROLS,
  });
});

describe.each([
  ['writing', 'fail-write'],
  ['syncing', 'fail-sync'],
])('I/O errors', (what, flag) => {
  fault(`I/O errors of ${what}, SQLite`, {
    async check({ hooks, environment }) {
      const folder = mkdtempSync(join(tmpdir(), 'svcgen-disk-'));
      const disk = {
        fail: () => writeFileSync(join(folder, flag), ''),
        repair: () => rmSync(join(folder, flag), { force: true }),
        isPartial: false,
      };
      const shim = { LD_PRELOAD: SHIM, DISK_FOLDER: folder };
      const broken = { hooks, environment: { ...environment, ...shim } };
      return failing(`sqlite:${folder}/service.db`, broken, disk).finally(() =>
        rmSync(folder, { recursive: true }),
      );
    },
    controls: CONTROLS,
  });
});
