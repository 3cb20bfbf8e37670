import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';

/**
 * The floor of POST and PATCH: node:http, JSON and prepared statements, on the database and with the driver of the service. The
 * requests that have arrived are written in one transaction. Nothing is checked but If-Match.
 */

const require = createRequire(import.meta.url);
const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite');
const database = new DatabaseSync(process.env.DATABASE);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
process.once('exit', () => database.close());
const select = database.prepare('SELECT id, text, etag FROM resources WHERE uid = ?');
const insert = database.prepare(
  'INSERT INTO resources (kind, uid, revision, version, etag, kept, text) VALUES (1, ?, 1, ?, ?, NULL, ?)',
);
const addLabel = database.prepare('INSERT INTO labels (resource, key, value, kind) VALUES (?, ?, ?, 1)');
const update = database.prepare(
  'UPDATE resources SET revision = revision + 1, etag = ?, text = ? WHERE id = ?',
);

const etagOf = (text) => `"${createHash('sha256').update(text).digest('hex')}"`;

function create({ metadata, spec }) {
  const uid = `dev-${randomBytes(8).toString('hex')}`;
  const now = new Date().toISOString();
  const text = JSON.stringify({
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: {
      name: metadata.name,
      uid,
      createdAt: now,
      updatedAt: now,
      generation: 1,
      labels: metadata.labels,
    },
    spec,
    status: { ready: false },
  });
  const etag = etagOf(text);
  const { lastInsertRowid } = insert.run(uid, 'v1', etag, text);
  for (const [key, value] of Object.entries(metadata.labels)) addLabel.run(lastInsertRowid, key, value);
  return { status: 201, text, etag };
}

function patch(uid, ifMatch, body) {
  const row = select.get(uid);
  if (row === undefined || row.etag !== ifMatch)
    return { status: row === undefined ? 404 : 412, text: '', etag: '' };
  const resource = JSON.parse(row.text);
  Object.assign(resource.spec, body.spec);
  resource.metadata.generation += 1;
  resource.metadata.updatedAt = new Date().toISOString();
  const text = JSON.stringify(resource);
  const etag = etagOf(text);
  update.run(etag, text, row.id);
  return { status: 200, text, etag };
}

let waiting = [];

function commit() {
  const batch = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  const responses = batch.map(({ req, body }) =>
    req.method === 'POST'
      ? create(body)
      : patch(req.url.slice('/devices/'.length), req.headers['if-match'], body),
  );
  database.exec('COMMIT');
  for (const [index, { status, text, etag }] of responses.entries()) {
    const headers = {
      'Content-Type': 'application/json',
      ETag: etag,
      'Content-Length': Buffer.byteLength(text),
    };
    batch[index].res.writeHead(status, headers).end(text);
  }
}

createServer((req, res) => {
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (part) => (text += part));
  req.on('end', () => {
    if (req.method === 'GET') {
      const row = select.get(req.url.slice('/devices/'.length));
      return res.writeHead(row === undefined ? 404 : 200, { ETag: row?.etag ?? '' }).end(row?.text);
    }
    waiting.push({ req, res, body: JSON.parse(text) });
    if (waiting.length === 1) setImmediate(commit);
  });
}).listen(Number(process.env.PORT), () => console.log('listening'));
