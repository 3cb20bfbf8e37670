import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestDatabase } from './contract/tested';

/** A schema of its own in the PostgreSQL database that TEST_DATABASE_URL names. Throws an Error where it names none. */
export function testDatabase(): TestDatabase {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url)
    throw new Error(
      'set TEST_DATABASE_URL to a PostgreSQL database, such as postgres://postgres:postgres@localhost:5432/postgres: ' +
        'each test file makes a schema there and drops it',
    );
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const run = async (command: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(command);
    } finally {
      await client.end();
    }
  };
  return {
    url: `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema}`)}`,
    make: () => run(`CREATE SCHEMA ${schema}`),
    drop: () => run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`),
  };
}
