import { Client } from 'pg';
import type { EntriesOfKind } from '../../../templates/runtime/store/indexes';
import { FieldBuild } from '../../../templates/runtime/store/postgres/indexing/field-build';
import { PostgresRebuild } from '../../../templates/runtime/store/postgres/indexing/rebuild-target';
import type { Store } from '../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { describeWithPostgres, postgresServer, type PostgresServer } from '../postgres-server';
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
  let build: FieldBuild;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  beforeEach(async () => {
    const url = await server.newSchema();
    store = await openStore(url);
    client = new Client(url);
    await client.connect();
    await client.query('BEGIN');
    const fields = { kind: KIND, entries, names: [INDEX] };
    build = new FieldBuild(client, new PostgresRebuild(client), 'made', fields);
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
    expect(await build.catchUp()).toEqual([]);
    await change('r3', '3, changed');
    await change('later', undefined);
    await write('last', 'last');
    await client.query('LOCK TABLE resources IN SHARE ROW EXCLUSIVE MODE');
    expect(await build.catchUp()).toEqual([]);
    await client.query('COMMIT');
    const stored = await store.list(KIND, { after: 0, limit: 1_000, selector: [] });
    expect(stored).toHaveLength(600);
    expect(await keys()).toEqual(Object.fromEntries(stored.map(({ uid, text }) => [uid, text])));
  });

  test('are made of a kind that is stored for the first time meanwhile', async () => {
    expect(await build.make()).toEqual([]);
    await write('first', 'first');
    expect(await build.catchUp()).toEqual([]);
    expect(await keys()).toEqual({ first: '"first"' });
  });

  test('are not made where a string is too long, also one that is written meanwhile', async () => {
    await write('a', 'a');
    await write('b', 'long');
    const problem = { kind: KIND, rule: 'max=500', index: INDEX };
    expect(await build.make()).toEqual([{ ...problem, uid: 'b' }]);
    await write('c', 'long');
    expect(await build.catchUp()).toEqual([{ ...problem, uid: 'c' }]);
  });

  test('are not added to those of a former release', async () => {
    expect(await build.isPossible()).toBe(true);
    await write('a', 'a');
    expect(await build.isPossible()).toBe(true);
    await build.make();
    expect(await build.isPossible()).toBe(false);
  });
});
