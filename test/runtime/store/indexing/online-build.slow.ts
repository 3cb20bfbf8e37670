import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { ResourceIndex } from '../../../../templates/runtime/store/indexes';
import { NAME_INDEX, UID_INDEX } from '../../../../templates/runtime/store/indexing/resource-index';
import type {
  IndexedKind,
  IndexProblem,
  NewIndexes,
} from '../../../../templates/runtime/store/indexing/store-indexes';
import { IndexBuild, newAmong } from '../../../../templates/runtime/store/postgres/indexing/index-build';
import { PostgresRebuild } from '../../../../templates/runtime/store/postgres/indexing/rebuild-target';
import {
  OtherDeclarations,
  type SingleWrite,
  type Store,
  type StoredResource,
} from '../../../../templates/runtime/store/store';
import { checkIndexes, openIndexedStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { creation, updateOf } from '../store-writes';
import { byName, deletedPart, found, indexOf, PART, stringKey, SUPPLIER, type Values } from './parts';

/** The older release knows prices alone; the newer one adds names, skus and references. */
const OLD: NewIndexes = { fields: ['spec.price'], unique: [], references: [] };
const NEW: NewIndexes = {
  fields: [NAME_INDEX, UID_INDEX, 'spec.sku', 'spec.tags'],
  unique: [NAME_INDEX, UID_INDEX, 'spec.sku'],
  references: ['spec.supplier', 'spec.related'],
};

const valuesOf = ({ text }: { text: string }): Values => JSON.parse(text) as Values;
const oldIndex = (uid: string, values: Values): ResourceIndex => newAmong(indexOf(uid, values), OLD);

const release = (digest: string, indexes?: NewIndexes): IndexedKind[] =>
  [PART, SUPPLIER].map((kind) => ({
    kind,
    entries: {
      digest,
      newSince: (before) => (indexes !== undefined && before === 'old' ? indexes : undefined),
      of: (row) => ({
        index: digest === 'old' ? oldIndex(row.uid, valuesOf(row)) : indexOf(row.uid, valuesOf(row)),
        tooLong: [],
      }),
    },
  }));

const created = (uid: string, values: Values, kind = PART) =>
  creation(uid, { kind, text: JSON.stringify(values), index: oldIndex(uid, values) });
const changed = (row: StoredResource, values: Values, kind = PART) =>
  updateOf(row, { kind, text: JSON.stringify(values), index: oldIndex(row.uid, values) });

describeWithPostgres('indexes that are new', () => {
  let server: PostgresServer;
  let url: string;
  let older: Store;
  let newer: Store;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  beforeEach(async () => {
    url = await server.newSchema();
    older = await openIndexedStore(url, { busyTimeoutMs: 30_000 });
    expect(await older.indexes!.rebuild(release('old'))).toEqual([]);
    newer = await openIndexedStore(url);
  });

  afterEach(async () => {
    await older.close();
    await newer.close();
  });

  const get = (uid: string): Promise<StoredResource> => found(older, uid);
  async function write(...writes: SingleWrite[]): Promise<void> {
    const write = writes.length === 1 ? writes[0] : { action: 'all' as const, writes };
    expect(await older.write(write)).toBe('done');
  }

  /** All entries, a line each. */
  async function entries(): Promise<string[]> {
    const client = new Client(url);
    await client.connect();
    const line = "encode(key, 'escape') || ' ' || coalesce(r.uid, e.resource::text)";
    const named = `JOIN indexes x ON x.id = e.index_id LEFT JOIN resources r ON r.id = e.resource`;
    const { rows } = await client.query<{ line: string }>(
      `SELECT 'field ' || x.name || ' ' || ${line} AS line FROM fields e ${named}
       UNION ALL SELECT 'unique ' || x.name || ' ' || ${line} FROM uniques e ${named}
       UNION ALL SELECT 'ref ' || x.name || ' ' || t.name || ' ' || ${line}
         FROM (SELECT *, target_key AS key FROM refs) e ${named} JOIN indexes t ON t.id = e.target_index`,
    );
    await client.end();
    return rows.map((row) => row.line).sort();
  }

  /** Compares the entries with those that a rebuild of everything makes. */
  async function expectComplete(): Promise<void> {
    const online = await entries();
    expect(await checkIndexes(url, release('new'))).toEqual([]);
    expect(await newer.indexes!.rebuild(release('again'))).toEqual([]);
    const offline = await entries();
    expect(online.filter((line) => !offline.includes(line))).toEqual([]);
    expect(offline.filter((line) => !online.includes(line))).toEqual([]);
    expect(online).toHaveLength(offline.length);
  }

  test('are made of references in cycles, to itself, and between kinds', async () => {
    await write(created('sup-1', { name: 'acme', related: ['par-0'] }, SUPPLIER));
    for (let n = 0; n < 300; n++)
      await write(
        created(`par-${n}`, { name: `n${n}`, supplier: 'acme', related: [`n${299 - n}`, `par-${n}`] }),
      );
    expect(await newer.indexes!.rebuild(release('new', NEW))).toEqual([]);
    expect(await byName(newer, 'n7')).toBe('par-7');
    await expectComplete();
  });

  test('are not made where a resource breaks a rule', async () => {
    await write(created('par-1', { name: 'a', related: ['nobody'] }));
    await write(created('par-2', { name: 'a', supplier: 'nobody' }));
    await write(created('sup-1', {}, SUPPLIER));
    const before = await entries();
    const problems = await newer.indexes!.rebuild(release('new', NEW));
    expect(problems.map(({ uid, rule, index }) => [uid, rule, index])).toEqual([
      ['par-2', 'unique', NAME_INDEX],
      ['par-1', 'ref', 'spec.related'],
      ['par-2', 'ref', 'spec.supplier'],
    ]);
    expect(await entries()).toEqual(before);
    await write(changed(await get('par-1'), { name: 'b' }));
    await write(changed(await get('par-2'), { name: 'a', supplier: 'sup-1' }));
    expect(await newer.indexes!.rebuild(release('new', NEW))).toEqual([]);
    await expectComplete();
  });

  test('are made when a vacuum has ended, and others write until then', async () => {
    const vacuum = new Client(url);
    await vacuum.connect();
    await write(created('par-1', { name: 'n1' }));
    await vacuum.query('BEGIN; LOCK TABLE resources IN SHARE UPDATE EXCLUSIVE MODE');
    const made = newer.indexes!.rebuild(release('new', NEW));
    const waiting = `SELECT FROM pg_locks
      WHERE relation = 'resources'::regclass AND mode = 'ShareRowExclusiveLock' AND NOT granted`;
    while ((await vacuum.query(waiting)).rowCount === 0) await setTimeout(5);
    await write(created('par-2', { name: 'n2' }));
    await vacuum.query('COMMIT');
    await vacuum.end();
    expect(await made).toEqual([]);
    expect(await byName(newer, 'n2')).toBe('par-2');
    await expectComplete();
  });

  test('what a new reference points to is removed and renamed while they are made', async () => {
    const named: NewIndexes = { fields: [], unique: [NAME_INDEX, UID_INDEX], references: [] };
    const indexes = { ...named, references: NEW.references };
    const kindsOf = (digest: string, added: NewIndexes): IndexedKind[] =>
      [PART, SUPPLIER].map((kind) => ({
        kind,
        entries: {
          digest,
          newSince: () => (digest === 'named' ? undefined : { ...added, unique: [] }),
          of: ({ uid, text }) => ({ index: newAmong(indexOf(uid, valuesOf({ text })), added), tooLong: [] }),
        },
      }));
    const indexed = (uid: string, text: string) => newAmong(indexOf(uid, valuesOf({ text })), named);
    const put = (uid: string, values: Values) => {
      const write = created(uid, values);
      return older.write({ ...write, index: indexed(uid, write.text) });
    };
    const change = async (uid: string, values: Values): Promise<SingleWrite> => {
      const write = changed(await get(uid), values);
      return { ...write, index: indexed(uid, write.text) };
    };
    expect(await older.indexes!.rebuild(kindsOf('named', named))).toEqual([]);
    await put('par-a', { name: 'a', related: ['gone'] });
    await put('par-b', { name: 'b', related: ['old'] });
    await put('par-gone', { name: 'gone' });
    await put('par-old', { name: 'old' });
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => put(`par-${n}`, { name: `n${n}` })));
    const deletion = [await change('par-a', { name: 'a' }), deletedPart(await get('par-gone'))];
    const renaming = [
      await change('par-b', { name: 'b', related: ['new'] }),
      await change('par-old', { name: 'new' }),
    ];
    let writing: Promise<unknown> | undefined;
    const problems = await newer.indexes!.rebuild(kindsOf('referring', indexes), () => {
      writing ??= Promise.all([deletion, renaming].map((writes) => older.write({ action: 'all', writes })));
    });
    expect(await writing).toEqual(['done', 'done']);
    expect(problems).toEqual([]);
    expect(await checkIndexes(url, kindsOf('again', indexes))).toEqual([]);
    expect((await entries()).filter((line) => line.startsWith('ref'))).toEqual([
      'ref spec.related metadata.name new par-b',
    ]);
  });

  describe('while others write', () => {
    let client: Client;
    let builds: IndexBuild[];

    beforeEach(async () => {
      client = new Client(url);
      await client.connect();
      await client.query('BEGIN; SET CONSTRAINTS ALL DEFERRED');
      const target = new PostgresRebuild(client);
      builds = release('new').map(
        ({ kind, entries }) =>
          new IndexBuild(client, target, `made_${kind === PART ? 1 : 2}`, {
            kind,
            entries: entries!,
            indexes: NEW,
          }),
      );
    });

    afterEach(() => client.end());

    async function make(): Promise<void> {
      for (const build of builds) expect(await build.make()).toEqual([]);
    }

    async function catchUp(): Promise<IndexProblem[]> {
      const passes: IndexProblem[][] = [];
      for (const build of builds) passes.push((await build.catchUp()).problems, await build.misnamed());
      return passes.flat();
    }

    /** The last pass. */
    async function end(): Promise<IndexProblem[]> {
      await client.query('LOCK TABLE resources IN SHARE ROW EXCLUSIVE MODE');
      return [...(await catchUp()), ...(await new PostgresRebuild(client).dangling())];
    }

    /** Stores parts with the names n0, n1, … */
    async function parts(count: number): Promise<void> {
      for (let n = 0; n < count; n++) await write(created(`par-${n}`, { name: `n${n}`, sku: `s${n}` }));
    }

    const rename = async (n: number, to: number) => changed(await get(`par-${n}`), { name: `n${to}` });

    async function expectMade(): Promise<void> {
      expect(await end()).toEqual([]);
      await client.query('COMMIT');
      await expectComplete();
    }

    test('names are swapped across pages, and handed on', async () => {
      await parts(600);
      await make();
      await write(await rename(1, 599), await rename(599, 1));
      await write(await rename(2, 602));
      await write(await rename(300, 2));
      expect(await catchUp()).toEqual([]);
      await write(await rename(1, 1), await rename(599, 599));
      await write(await rename(598, 698));
      await write(await rename(3, 598));
      await expectMade();
    });

    test('a name that two have is reported while they have it', async () => {
      await parts(3);
      await write(created('par-twin', { name: 'n1' }));
      await make();
      await write(await rename(2, 0));
      const problem = { kind: PART, rule: 'unique', index: NAME_INDEX };
      expect(await catchUp()).toEqual([
        { ...problem, uid: 'par-2', other: 'par-0', key: stringKey('n0') },
        { ...problem, uid: 'par-twin', other: 'par-1', key: stringKey('n1') },
      ]);
      await write(await rename(1, 7));
      expect(await end()).toEqual([{ ...problem, uid: 'par-2', other: 'par-0', key: stringKey('n0') }]);
    });

    test('one with a taken name and more entries is removed', async () => {
      await parts(1);
      await write(created('par-twin', { name: 'n0', sku: 'twin', tags: ['x'], related: ['n0'] }));
      await make();
      await write(deletedPart(await get('par-twin')));
      await expectMade();
    });

    test('references get their targets later, and lose them', async () => {
      await parts(2);
      await write(created('par-a', { name: 'a', supplier: 'acme', related: ['later', 'n0'] }));
      await write(created('par-b', { name: 'b', related: ['n1'] }));
      await make();
      // Suppliers are stored for the first time.
      await write(created('sup-1', { name: 'acme' }, SUPPLIER));
      await write(created('par-later', { name: 'later' }));
      await write(changed(await get('par-b'), { name: 'b' }), deletedPart(await get('par-1')));
      expect(await catchUp()).toEqual([]);
      await write(
        await rename(0, 9),
        changed(await get('par-a'), { name: 'a', supplier: 'sup-1', related: ['n9'] }),
      );
      await expectMade();
    });

    test('a reference whose target is removed or renamed is reported', async () => {
      await parts(3);
      await write(created('par-a', { name: 'a', related: ['n0', 'n1', 'n2'] }));
      await make();
      await write(deletedPart(await get('par-0')));
      expect(await catchUp()).toEqual([]);
      await write(await rename(1, 7));
      const problem = { kind: PART, uid: 'par-a', rule: 'ref', index: 'spec.related' };
      expect(await end()).toEqual(['n0', 'n1'].map((name) => ({ ...problem, key: stringKey(name) })));
    });

    test('a name that becomes the uid of another is reported', async () => {
      const uid = 'par-0123456789abcdef';
      await write(created('par-1', { name: uid }));
      await make();
      expect(await catchUp()).toEqual([]);
      await write(created(uid, { name: 'other' }));
      expect(await catchUp()).toEqual([
        { kind: PART, uid: 'par-1', rule: 'name', index: NAME_INDEX, other: uid },
      ]);
      await write(await rename(1, 1));
      await expectMade();
    });
  });

  /** Random writes of parts and suppliers of its own, each of which keeps all rules, until the older release is refused. */
  class Writer {
    readonly #parts = new Map<string, Values>();
    writes = 0;
    done = 0;
    #state: number;

    constructor(
      private readonly store: Store,
      private readonly number: number,
    ) {
      this.#state = number;
    }

    #draw(below: number): number {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((this.#state / 2 ** 32) * below);
    }

    #some(): string {
      return [...this.#parts.keys()][this.#draw(this.#parts.size)];
    }

    async #create(): Promise<void> {
      const id = `${this.number}x${this.writes++}`;
      const values = {
        name: `n${id}`,
        sku: `s${id}`,
        supplier: `a${this.number}`,
        related: [this.#target(`par-${id}`)],
      };
      await this.#write([created(`par-${id}`, values)]);
      this.#parts.set(`par-${id}`, values);
    }

    /** A part, by its uid or its name. */
    #target(own: string): string {
      const uid = this.#parts.size === 0 ? own : this.#some();
      return this.#draw(2) === 0 ? uid : (this.#parts.get(uid)?.name ?? uid);
    }

    /** Writes new values of parts, or removes them, all at once. */
    async #change(changes: [string, Values | undefined][]): Promise<void> {
      const writes = changes.map(async ([uid, values]) => {
        const row = await found(this.store, uid);
        return values === undefined ? deletedPart(row) : changed(row, values);
      });
      await this.#write(await Promise.all(writes));
      for (const [uid, values] of changes) {
        if (values === undefined) this.#parts.delete(uid);
        else this.#parts.set(uid, values);
      }
    }

    async #write(writes: SingleWrite[]): Promise<void> {
      expect(await this.store.write({ action: 'all', writes })).toBe('done');
    }

    /** Returns parts that refer to one, without the reference or with another. */
    #without(gone: string, instead?: string): [string, Values][] {
      const names = [gone, this.#parts.get(gone)!.name];
      return [...this.#parts].flatMap(([uid, values]): [string, Values][] => {
        const related = values.related ?? [];
        if (uid === gone || !related.some((each) => names.includes(each))) return [];
        const others = related.filter((each) => !names.includes(each));
        return [[uid, { ...values, related: [...others, ...(instead === undefined ? [] : [instead])] }]];
      });
    }

    async #step(): Promise<void> {
      const [one, other] = [this.#some(), this.#some()];
      const [values, others] = [this.#parts.get(one)!, this.#parts.get(other)!];
      switch (this.#draw(5)) {
        case 0:
          return this.#create();
        case 1:
          return this.#change([...this.#without(one), [one, undefined]]);
        case 2:
          if (one === other) return;
          return this.#change([
            [one, { ...values, name: others.name, sku: others.sku }],
            [other, { ...others, name: values.name, sku: values.sku }],
          ]);
        case 3: {
          const name = `m${this.number}x${this.writes++}`;
          const related = (values.related ?? []).filter((each) => each !== one && each !== values.name);
          return this.#change([...this.#without(one, name), [one, { ...values, name, related }]]);
        }
        default:
          return this.#change([[one, { ...values, price: this.writes, related: [this.#target(one)] }]]);
      }
    }

    async fill(count: number): Promise<void> {
      await this.#write([created(`sup-${this.number}`, { name: `a${this.number}` }, SUPPLIER)]);
      for (let n = 0; n < count; n++) await this.#create();
    }

    async run(): Promise<void> {
      for (; ; this.done++) {
        try {
          if (this.#parts.size < 5) await this.#create();
          else await this.#step();
        } catch (error) {
          if (error instanceof OtherDeclarations) return;
          throw error;
        }
      }
    }
  }

  test('are complete after a build among random writes', async () => {
    const writers = [1, 2, 3, 4].map((number) => new Writer(older, number));
    await Promise.all(writers.map((writer) => writer.fill(400)));
    // Everybody writes something before the last pass.
    const lock = new Client(url);
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE resources IN SHARE UPDATE EXCLUSIVE MODE');
    const running = writers.map((writer) => writer.run());
    let read = 0;
    const made = newer.indexes!.rebuild(release('new', NEW), () => void (read += 1));
    while (read < 5 || writers.some(({ done }) => done < 10)) await setTimeout(5);
    await lock.end();
    expect(await made).toEqual([]);
    await Promise.all(running);
    await expectComplete();
  });
});
