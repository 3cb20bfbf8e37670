import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in a file: what is in the image has reached the disk, what is only in the page cache has not. */
export interface Image {
  /** Where it is mounted. */
  folder: string;
  /** Mounts a copy of the image as it is now, as after a power loss, while `look` looks at it. */
  powerLoss<T>(look: (folder: string) => T): T;
  close(): void;
}

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Makes an ext4 file system of so many MiB and mounts it. Takes root and loop devices; throws without. */
export function makeImage(mebibytes: number): Image {
  const root = mkdtempSync(join(tmpdir(), 'svcgen-image-'));
  const [image, folder] = [join(root, 'image'), join(root, 'mounted')];
  mkdirSync(folder);
  try {
    run('truncate', '-s', `${mebibytes}M`, image);
    run('mkfs.ext4', '-q', '-m', '0', image);
    run('mount', '-o', 'loop', image, folder);
  } catch (error) {
    rmSync(root, { recursive: true });
    throw error;
  }
  return {
    folder,
    powerLoss(look) {
      const [copy, where] = [join(root, 'copy'), join(root, 'mounted-copy')];
      run('cp', '--sparse=always', image, copy);
      mkdirSync(where, { recursive: true });
      run('mount', '-o', 'loop', copy, where);
      try {
        return look(where);
      } finally {
        run('umount', '--lazy', where);
        rmSync(copy);
      }
    },
    close() {
      run('umount', '--lazy', folder);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A file that takes all the room that is left on a file system, and what frees it. */
export function fillDisk(folder: string): { fill(): void; empty(): void } {
  const filler = join(folder, 'filler');
  return {
    fill() {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(65_536), { flag: 'a' });
      } catch {
        // No room is left.
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}

/** `describe` where file systems can be mounted. Elsewhere what needs them is skipped, and this says so. */
export const describeWithImages = canMount() ? describe : describe.skip;

function canMount(): boolean {
  try {
    makeImage(8).close();
    return true;
  } catch (error) {
    console.warn(
      `Power loss and full disks are not tested; they take root and loop devices: ${String(error)}`,
    );
    return false;
  }
}
