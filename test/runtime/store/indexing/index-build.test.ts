import { Client } from 'pg';
import type { EntriesOfKind } from '../../../../templates/runtime/store/indexing/store-indexes';
import { IndexBuild } from '../../../../templates/runtime/store/postgres/indexing/index-build';
import { PostgresRebuild } from '../../../../templates/runtime/store/postgres/indexing/rebuild-target';
import type { Store } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { creation, KIND } from '../store-writes';

const INDEX = 'spec.n';
const entries: EntriesOfKind = {
  digest: '1',
  of: ({ text }) => ({
    index: {
      fields: [
        { index: INDEX, key: text },
        { index: 'spec.old', key: text },
      ],
      unique: [],
      references: [],
    },
    tooLong: text === '"long"' ? [INDEX] : [],
  }),
};

describeWithPostgres('entries of a new field', () => {
  let server: PostgresServer;
  let store: Store;
  let client: Client;
  let build: IndexBuild;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  beforeEach(async () => {
    const url = await server.newSchema();
    store = await openStore(url);
    client = new Client(url);
    await client.connect();
    await client.query('BEGIN');
    const indexes = { fields: [INDEX], unique: [], references: [] };
    build = new IndexBuild(client, new PostgresRebuild(client), 'made', { kind: KIND, entries, indexes });
  });

  afterEach(async () => {
    await client.end();
    await store.close();
  });

  const write = (uid: string, text: string) => store.write(creation(uid, { text: JSON.stringify(text) }));

  async function change(uid: string, text: string | undefined): Promise<void> {
    const { id, revision, ...state } = (await store.get(KIND, uid))!;
    const change = { kind: KIND, id, revision };
    expect(
      await store.write(
        text === undefined
          ? { action: 'delete', uid, ...change }
          : { action: 'update', ...state, ...change, text: JSON.stringify(text) },
      ),
    ).toBe('done');
  }

  async function keys(): Promise<{ [uid: string]: string }> {
    const { rows } = await client.query<{ uid: string; name: string; key: Buffer }>(
      'SELECT uid, name, key FROM fields f LEFT JOIN resources r ON r.id = f.resource JOIN indexes x ON x.id = f.index_id',
    );
    expect(rows.filter(({ name }) => name !== INDEX)).toEqual([]);
    return Object.fromEntries(rows.map(({ uid, key }) => [uid, key.toString()]));
  }

  test('are made while others write, and again of what they wrote', async () => {
    for (let n = 0; n < 600; n++) await write(`r${n}`, `${n}`);
    expect(await build.make()).toEqual([]);
    expect(Object.keys(await keys())).toHaveLength(600);
    for (let n = 0; n < 600; n += 2) await change(`r${n}`, `${n}, changed`);
    await change('r1', undefined);
    await write('later', 'later');
    expect(await build.catchUp()).toEqual({ changed: 302, problems: [] });
    await change('r3', '3, changed');
    await change('later', undefined);
    await write('last', 'last');
    await client.query('LOCK TABLE resources IN SHARE ROW EXCLUSIVE MODE');
    expect(await build.catchUp()).toEqual({ changed: 3, problems: [] });
    await client.query('COMMIT');
    const stored = await store.list(KIND, { after: 0, limit: 1_000, selector: [] });
    expect(stored).toHaveLength(600);
    expect(await keys()).toEqual(Object.fromEntries(stored.map(({ uid, text }) => [uid, text])));
  });

  test('are made of a kind that is stored for the first time meanwhile', async () => {
    expect(await build.make()).toEqual([]);
    await write('first', 'first');
    expect(await build.catchUp()).toEqual({ changed: 1, problems: [] });
    expect(await keys()).toEqual({ first: '"first"' });
  });

  test('a string that is too long is reported as long as it is there', async () => {
    const problem = (uid: string) => ({ kind: KIND, rule: 'max=500', index: INDEX, uid });
    for (const uid of ['a', 'b', 'c']) await write(uid, 'long');
    expect(await build.make()).toEqual([]);
    await change('b', 'short');
    await write('d', 'long');
    expect(await build.catchUp()).toEqual({ changed: 4, problems: ['a', 'c', 'd'].map(problem) });
    await change('c', undefined);
    expect(await build.catchUp()).toEqual({ changed: 3, problems: ['a', 'd'].map(problem) });
  });

  test('a hundred problems end it, unless they are gone', async () => {
    for (let n = 0; n < 100; n++) await write(`r${n}`, 'long');
    expect(await build.make()).toHaveLength(100);
  });

  test('are not added to those of a former release', async () => {
    expect(await build.isPossible()).toBe(true);
    await write('a', 'a');
    expect(await build.isPossible()).toBe(true);
    await build.make();
    expect(await build.isPossible()).toBe(false);
  });
});
