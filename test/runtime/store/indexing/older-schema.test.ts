import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { IndexedKind } from '../../../../templates/runtime/store/indexing/store-indexes';
import { MIGRATIONS as OF_POSTGRES } from '../../../../templates/runtime/store/postgres/schema/migrations';
import { connect } from '../../../../templates/runtime/store/sqlite/connection/driver';
import {
  APPLICATION_ID,
  MIGRATIONS as OF_SQLITE,
} from '../../../../templates/runtime/store/sqlite/file/migrations';
import { checkIndexes } from '../open-store';
import { describeWithPostgres, postgresServer } from '../postgres/postgres-server';
import { KIND } from '../store-writes';

// The data of an older release are checked before the start of this one, while that runs.

const kinds: IndexedKind[] = [
  { kind: KIND, entries: { digest: '1', of: ({ text }) => ({ index: NONE, tooLong: [text] }) } },
];
const NONE = { fields: [], unique: [], references: [] };
const want = [{ kind: KIND, uid: 'dev-1', rule: 'max=500', index: '{}' }];

/** Number of migrations that an older release may have had. */
const older = (all: readonly unknown[]): number[] => all.map((_, index) => index + 1);

const INTO_KINDS = `INSERT INTO kinds (name) VALUES ('${KIND}')`;

describe('SQLite', () => {
  test.each(older(OF_SQLITE))('with %d migrations is checked as it is', async (count) => {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-older-'));
    const connection = connect(join(folder, 'store.db'));
    for (const migration of OF_SQLITE.slice(0, count)) connection.exec(migration);
    connection.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${count}; ${INTO_KINDS};
       INSERT INTO resources (kind, uid, revision, version, etag, text) VALUES (1, 'dev-1', 1, 'v1', '', '{}')`,
    );
    connection.close();
    expect(await checkIndexes(`sqlite:${folder}/store.db`, kinds)).toEqual(want);
    rmSync(folder, { recursive: true });
  });
});

describeWithPostgres('PostgreSQL', () => {
  test('of any number of migrations is checked as it is', async () => {
    const server = await postgresServer();
    for (const count of older(OF_POSTGRES)) {
      const url = await server.newSchema();
      const client = new Client(url);
      await client.connect();
      await client.query(
        `CREATE TABLE svcgen_schema (version integer NOT NULL); INSERT INTO svcgen_schema VALUES (${count})`,
      );
      for (const { sql } of OF_POSTGRES.slice(0, count)) await client.query(sql);
      await client.query(
        `${INTO_KINDS}; INSERT INTO resources (kind, uid, revision, version, etag, text, labels)
         VALUES (1, 'dev-1', 1, 'v1', '', '{}', '{}')`,
      );
      await client.end();
      expect(await checkIndexes(url, kinds)).toEqual(want);
    }
    await server.close();
  });
});
