import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { BackgroundProgram } from './background-program';
import { describeWith, goPrograms, run, workFolder } from './foreign-tool';
import {
  change,
  creation,
  type Device,
  KilledService,
  type Write,
  writeAll,
  writeOverKill,
} from './killed-service';

// An informer of client-go and a manager of controller-runtime follow a service that is killed and started again.

const GO = 'kubernetes-go';
const PORTS = [{ name: 'http', number: 80 }];

/** A line that the informer prints. */
type Line =
  | { type: 'INITIAL' | 'ADDED' | 'MODIFIED' | 'DELETED' | 'STORED'; value: Device }
  | { type: 'SYNCED'; value: number }
  | { type: 'REQUEST'; value: string };

/** Returns writes of 200 devices and 50 new ones, at most one for each, and the change that an informer sees of each write. */
function manyWrites(): { initial: string[]; writes: Write[]; changes: string[] } {
  const initial = Array.from({ length: 200 }, (_, index) => `d-${index}`);
  const writes: Write[] = [];
  const changes: string[] = [];
  initial.forEach((name, index) => {
    if (index % 2 === 0) {
      writes.push(change(name, { location: 'us' }));
      changes.push(`MODIFIED ${name} us`);
    } else if (index % 4 === 1) {
      writes.push({ method: 'DELETE', name }, creation(`n-${index}`));
      changes.push(`DELETED ${name} eu`, `ADDED n-${index} eu`);
    }
  });
  return { initial, writes, changes };
}

describeWith('go')('clients in Go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-go-'));
  let programs: string;
  let services = 0;

  beforeAll(async () => {
    programs = await goPrograms(GO);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a test with a service of its own, and stops both the service and a program. */
  async function withProgram(
    name: string,
    databaseUrl: string,
    check: (service: KilledService, start: () => BackgroundProgram) => Promise<void>,
  ): Promise<void> {
    const service = await KilledService.start(databaseUrl);
    const config = join(folder, `config-${++services}`);
    writeFileSync(config, kubeconfig('device-service', [`http://127.0.0.1:${service.port}`], {}));
    let program: BackgroundProgram | undefined;
    try {
      await check(
        service,
        () => (program = new BackgroundProgram(join(programs, name), [], { env: { KUBECONFIG: config } })),
      );
    } finally {
      await program?.stop();
      await service.close();
    }
  }

  /** Tests both programs on databases of one kind. */
  function clientsOn(newDatabase: () => string | Promise<string>): void {
    test('an informer sees every change, though the service is killed', async () => {
      await withProgram('informer', await newDatabase(), async (service, start) => {
        const { initial, writes, changes } = manyWrites();
        await writeAll(
          service,
          initial.map((name) => creation(name)),
        );
        const informer = start();
        await informer.until(() => linesOf(informer).some(({ type }) => type === 'SYNCED'));
        const half = writes.length / 2;
        for (const part of [writes.slice(0, half), writes.slice(half)]) {
          await writeOverKill(service, part);
          const name = `after-${part[0].name}`;
          await service.write(creation(name));
          changes.push(`ADDED ${name} eu`);
          await informer.until(() => changesIn(linesOf(informer)).includes(`ADDED ${name} eu`));
        }
        await service.write(creation('last'));
        expect(await informer.ended).toBe(0);

        const lines = linesOf(informer);
        expect(lines.find(({ type }) => type === 'SYNCED')).toEqual({ type: 'SYNCED', value: 200 });
        expect(namesIn(lines, 'INITIAL')).toEqual([...initial].sort());
        expect(changesIn(lines)).toEqual([...changes, 'ADDED last eu'].sort());
        const stored = lines.flatMap((line) => (line.type === 'STORED' ? [line.value] : []));
        expect(revisionsOf(stored)).toEqual(revisionsOf(await service.list()));
        // It has asked for the initial objects by a watch, and has begun at least one more after each kill.
        const requests = lines.flatMap((line) => (line.type === 'REQUEST' ? [line.value] : []));
        expect(requests[0]).toContain('sendInitialEvents=true');
        expect(requests.length).toBeGreaterThan(2);
      });
    });

    test('a manager brings every object into the wanted state, though the service is killed', async () => {
      await withProgram('operator', await newDatabase(), async (service, start) => {
        const names = Array.from({ length: 20 }, (_, index) => `d-${index}`);
        const hasPorts = (name: string): boolean => Number(name.slice(2)) % 2 === 0;
        const phases = async (): Promise<string[]> =>
          (await service.list()).map(({ metadata, status }) => `${metadata.name} ${status.phase}`).sort();
        const operator = start();
        const until = (wanted: (name: string) => string): Promise<void> => {
          const expected = names.map((name) => `${name} ${wanted(name)}`).sort();
          return operator.until(async () => (await phases()).join() === expected.join());
        };

        await writeAll(
          service,
          names.map((name) => creation(name, { location: 'eu', ...(hasPorts(name) && { ports: PORTS }) })),
        );
        await until((name) => (hasPorts(name) ? 'Ready' : 'Pending'));

        await writeOverKill(
          service,
          names.map((name) => change(name, { ports: hasPorts(name) ? null : PORTS })),
        );
        await until((name) => (hasPorts(name) ? 'Pending' : 'Ready'));
      });
    });
  }

  test('their sources are formatted', async () => {
    expect(await run(workFolder(GO), 'gofmt', '-l', '.')).toEqual({ code: 0, text: '' });
  });

  describe('SQLite', () => {
    let databases = 0;
    clientsOn(() => `sqlite:${folder}/${++databases}.db`);
  });

  describeWithPostgres('PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await postgresServer();
      // Those of a server that has run for a while: revisions begin with their number, and exceed 64 bits.
      await server.run(`DO $$ BEGIN
        FOR i IN 1..10000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
      END $$`);
    });
    afterAll(() => server?.close());
    clientsOn(() => server.newSchema());
  });
});

function linesOf({ output }: BackgroundProgram): Line[] {
  const complete = output.slice(0, output.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

function namesIn(lines: readonly Line[], wanted: 'INITIAL'): string[] {
  return lines.flatMap((line) => (line.type === wanted ? [line.value.metadata.name] : [])).sort();
}

/** Returns each change once: a list after a kill may repeat some. */
function changesIn(lines: readonly Line[]): string[] {
  const changes = lines.flatMap((line) => {
    if (line.type !== 'ADDED' && line.type !== 'MODIFIED' && line.type !== 'DELETED') return [];
    const { metadata, spec } = line.value;
    return [`${line.type} ${metadata.name} ${spec.location}`];
  });
  return [...new Set(changes)].sort();
}

function revisionsOf(objects: readonly Device[]): string[] {
  return objects.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort();
}
