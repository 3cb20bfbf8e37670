import { setTimeout } from 'node:timers/promises';
import { type Contents, halves, readContents } from './support/database';
import { demand, fault, Violation } from './support/fault';
import { describeWithImages, makeImage } from './support/image';
import { SHIM, startService } from './support/service';
import { Writers } from './support/writers';

const CUTS = 8;

/**
 * The image of the file system holds what was synced, and what the kernel happened to write back. It is copied while the
 * service stands still, and mounted: that is the disk after a power loss at this moment.
 */
describeWithImages('a file system', () => {
  fault('power loss, SQLite on ext4', {
    async check(broken) {
      const image = makeImage(128);
      const service = await startService(`sqlite:${image.folder}/data/service.db`, broken);
      const writers = new Writers(16);
      try {
        writers.start(() => service.port);
        for (let cut = 1; cut <= CUTS; cut++) {
          await writers.reach(250 * cut);
          service.child.kill('SIGSTOP');
          // What it had sent before it stood still is acknowledged, too.
          await setTimeout(100);
          const known = writers.snapshot();
          const contents = image.powerLoss(readable);
          service.child.kill('SIGCONT');
          const lost = known.lost(contents);
          demand(lost.length === 0, `${lost.length} of ${known.acknowledged} acknowledged writes lost`);
          const half = halves(contents);
          demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
        }
        await writers.stop();
        return `${writers.acknowledged} writes acknowledged, ${CUTS} cuts, 0 lost, 0 half`;
      } finally {
        await service.kill();
        image.close();
      }
    },
    controls: {
      'a disk that only says that it synced': { environment: { LD_PRELOAD: SHIM, DISK_NEVER_SYNCS: 'true' } },
      'synchronous=OFF': { hooks: ['synchronous-off'] },
    },
  });
});

/** Returns the content of the database of a disk that lost its power. */
function readable(folder: string): Contents {
  try {
    return readContents(`sqlite:${folder}/data/service.db`) as Contents;
  } catch (error) {
    throw new Violation(`the database cannot be read: ${(error as Error).message}`);
  }
}
