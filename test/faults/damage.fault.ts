import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice, JSON_TYPE, send } from './support/client';
import { demand, fault } from './support/fault';
import { NotStarted, startService } from './support/service';

/** A closed database with 200 devices. */
async function fill(folder: string): Promise<string> {
  const file = join(folder, 'full.db');
  const service = await startService(`sqlite:${file}`);
  const text = 'x'.repeat(500);
  await Promise.all(Array.from({ length: 200 }, (_, n) => createDevice(service.port, `${n} ${text}`)));
  service.child.kill('SIGTERM');
  await service.ended;
  return file;
}

const cut = (share: number) => (file: string) => truncateSync(file, Math.floor(statSync(file).size * share));

/** Damages to a database while no service runs. */
const DAMAGES: { [name: string]: (file: string) => void } = {
  'cut by a byte': (file) => truncateSync(file, statSync(file).size - 1),
  'cut in half': cut(0.5),
  'cut to a page': (file) => truncateSync(file, 4096),
  'cut within its head': (file) => truncateSync(file, 60),
  empty: (file) => truncateSync(file, 0),
  'of text': (file) => writeFileSync(file, 'no database\n'.repeat(5_000)),
  'with a page of zeros': (file) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, 8_192, 12_288));
  },
};

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

fault('a damaged database at start, SQLite', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-damage-'));
    try {
      const full = await fill(folder);
      for (const [name, damage] of Object.entries(DAMAGES)) {
        const file = join(folder, 'damaged.db');
        for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
        copyFileSync(full, file);
        damage(file);
        const before = digest(file);
        const refusal = await startService(`sqlite:${file}`, broken).then(
          (service) => service.kill(),
          (error: NotStarted) => error,
        );
        demand(refusal !== undefined, `${name}: it starts`);
        demand(refusal.code === 1, `${name}: the exit code is ${refusal.code}`);
        demand(/damaged\.db .*(backup|delete)/s.test(refusal.errors), `${name}: it says ${refusal.errors}`);
        demand(digest(file) === before, `${name}: the file has changed`);
      }
      return `${Object.keys(DAMAGES).length} damages: exit code 1, a message, the file unchanged`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'the database is not checked': { hooks: ['no-checks'] } },
});

/** Damages to a database while the service runs, and their reversal, where that is possible. */
const TAKEN: { [name: string]: { take(file: string): void; giveBack?(file: string): void } } = {
  deleted: { take: (file) => rmSync(file) },
  moved: {
    take: (file) => renameSync(file, `${file}.away`),
    giveBack: (file) => renameSync(`${file}.away`, file),
  },
  replaced: { take: (file) => [copyFileSync(file, `${file}.other`), renameSync(`${file}.other`, file)] },
};

fault('a database that is taken away under the service, SQLite', {
  async check(broken) {
    for (const [name, { take, giveBack }] of Object.entries(TAKEN)) {
      const folder = mkdtempSync(join(tmpdir(), 'svcgen-taken-'));
      const file = join(folder, 'service.db');
      const service = await startService(`sqlite:${file}`, broken);
      try {
        const path = (await createDevice(service.port, 'kept')).headers.location!;
        take(file);
        for (let write = 0; write < 3; write++) {
          const { status } = await send(service.port, 'PUT', path, {
            headers: JSON_TYPE,
            body: { spec: { name: 'lost' } },
          });
          demand(status === 503, `${name}: a write got ${status}`);
        }
        const read = await send(service.port, 'GET', path);
        demand(read.status === 200 && read.text.includes('kept'), `${name}: a GET got ${read.status}`);
        const ready = await send(service.port, 'GET', '/readyz');
        demand(ready.status === 503, `${name}: /readyz got ${ready.status}`);
        if (giveBack === undefined) continue;
        giveBack(file);
        await createDevice(service.port, 'resumed');
      } finally {
        await service.kill();
        rmSync(folder, { recursive: true });
      }
    }
    return 'deleted, moved, replaced: writes 503, reads go on; moved back: writes work again';
  },
  controls: { 'the file is not looked for': { hooks: ['no-checks'] } },
});
