import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * The floor of a POST: SQLite alone, with the driver and the tables of the service, commits the rows that 64 clients
 * make at once. It prints what it took.
 */

const require = createRequire(import.meta.url);
const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite');
const database = new DatabaseSync(process.env.DATABASE);
database.exec('PRAGMA synchronous = FULL');
const insert = database.prepare(
  'INSERT INTO resources (kind, uid, revision, version, etag, kept, text) VALUES (1, ?, 1, ?, ?, NULL, ?)',
);
const addLabel = database.prepare('INSERT INTO labels (resource, key, value, kind) VALUES (?, ?, ?, 1)');
const { text } = database.prepare('SELECT text FROM resources LIMIT 1').get();
const etag = `"${'a'.repeat(64)}"`;

const start = performance.now();
const begin = process.cpuUsage();
let rows = 0;
while (performance.now() - start < Number(process.env.SECONDS) * 1000) {
  database.exec('BEGIN IMMEDIATE');
  for (let row = 0; row < 64; row++) {
    const { lastInsertRowid } = insert.run(`dev-${randomBytes(8).toString('hex')}`, 'v1', etag, text);
    addLabel.run(lastInsertRowid, 'env', 'production');
    addLabel.run(lastInsertRowid, 'rack', `r${rows++ % 1000}`);
  }
  database.exec('COMMIT');
}
const { user, system } = process.cpuUsage(begin);
console.log(
  JSON.stringify({ cpu: (user + system) / rows, rate: rows / ((performance.now() - start) / 1000) }),
);
