import { createRequire } from 'node:module';
import { createServer } from 'node:http';

/** The floor of a GET that reads: node:http and one prepared SELECT, on the database and with the driver of the service. */

const require = createRequire(import.meta.url);
const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite');
const database = new DatabaseSync(process.env.DATABASE);
// The connection must stay reachable: a statement alone does not keep it open.
process.once('exit', () => database.close());
const select = database.prepare('SELECT text, etag FROM resources WHERE uid = ?');

createServer((req, res) => {
  const row = select.get(req.url.slice('/devices/'.length));
  if (row === undefined) {
    res.writeHead(404).end();
    return;
  }
  res.writeHead(200, {
    'Content-Type': 'application/json',
    ETag: row.etag,
    'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
    Vary: 'Accept',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(row.text),
  });
  res.end(row.text);
}).listen(Number(process.env.PORT), () => console.log('listening'));
