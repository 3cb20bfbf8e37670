import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { openDatabase } from './database.mjs';

/** The Device service as people write it who choose Fastify for its speed: schemas both ways, prepared statements. */

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const string = { type: 'string' };

const spec = {
  type: 'object',
  required: ['name', 'location'],
  properties: { name: string, location: string, model: string, config: texts },
  additionalProperties: false,
};

const body = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: string,
    kind: { const: 'Device' },
    metadata: { type: 'object', properties: { name: string, labels: texts } },
    spec,
  },
  additionalProperties: false,
};

const device = {
  type: 'object',
  properties: {
    apiVersion: string,
    kind: string,
    metadata: {
      type: 'object',
      properties: {
        name: string,
        uid: string,
        createdAt: string,
        updatedAt: string,
        generation: { type: 'integer' },
        labels: texts,
      },
    },
    spec,
    status: { type: 'object', additionalProperties: true },
  },
};

const patch = { type: 'object', properties: { metadata: { type: 'object' }, spec: { type: 'object' } } };
const answers = (schema) => ({ '2xx': schema });

const database = openDatabase(process.env.DATABASE);
const sql = {
  get: database.prepare('SELECT * FROM devices WHERE uid = ?'),
  list: database.prepare('SELECT * FROM devices ORDER BY id LIMIT ?'),
  listByLabel: database.prepare(
    `SELECT d.* FROM device_labels l JOIN devices d ON d.id = l.device
     WHERE l.key = ? AND l.value = ? ORDER BY l.device LIMIT ?`,
  ),
  insert: database.prepare(
    `INSERT INTO devices (uid, version, name, created_at, updated_at, labels, spec, status)
     VALUES (?, 1, ?, ?, ?, ?, ?, ?)`,
  ),
  update: database.prepare(
    'UPDATE devices SET version = ?, name = ?, updated_at = ?, labels = ?, spec = ? WHERE id = ?',
  ),
  addLabel: database.prepare('INSERT INTO device_labels VALUES (?, ?, ?)'),
  deleteLabels: database.prepare('DELETE FROM device_labels WHERE device = ?'),
};

function resourceOf(row) {
  return {
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: {
      name: row.name,
      uid: row.uid,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      generation: row.version,
      labels: JSON.parse(row.labels),
    },
    spec: JSON.parse(row.spec),
    status: JSON.parse(row.status),
  };
}

function sendResource(reply, resource) {
  const { generation, updatedAt } = resource.metadata;
  return reply
    .header('ETag', `"${generation}"`)
    .header('Last-Modified', new Date(updatedAt).toUTCString())
    .send(resource);
}

function addLabels(id, labels) {
  for (const [key, value] of Object.entries(labels)) sql.addLabel.run(id, key, value);
}

const create = database.transaction((resource) => {
  const { metadata, spec, status } = resource;
  const { uid, name, createdAt, updatedAt, labels } = metadata;
  const texts = [labels, spec, status].map((value) => JSON.stringify(value));
  const { lastInsertRowid } = sql.insert.run(uid, name, createdAt, updatedAt, ...texts);
  addLabels(lastInsertRowid, labels);
});

const applyPatch = database.transaction((uid, ifMatch, patch, isSpec) => {
  const row = sql.get.get(uid);
  if (row === undefined) throw Object.assign(new Error('Device not found'), { statusCode: 404 });
  if (ifMatch !== undefined && ifMatch !== `"${row.version}"`) {
    throw Object.assign(new Error('The device has changed'), { statusCode: 412 });
  }
  const { metadata, spec, ...rest } = mergePatch(resourceOf(row), patch);
  if (!isSpec(spec)) throw Object.assign(new Error('The spec is not valid'), { statusCode: 400 });
  const { name = uid, labels = {} } = metadata;
  const version = row.version + 1;
  const updatedAt = new Date().toISOString();
  const labelText = JSON.stringify(labels);
  sql.update.run(version, name, updatedAt, labelText, JSON.stringify(spec), row.id);
  if (labelText !== row.labels) {
    sql.deleteLabels.run(row.id);
    addLabels(row.id, labels);
  }
  return { ...rest, metadata: { ...metadata, generation: version, updatedAt, name, labels }, spec };
});

function mergePatch(target, patch) {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = typeof target === 'object' && target !== null ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

const app = Fastify();
app.addContentTypeParser(
  'application/merge-patch+json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error'),
);

app.post('/devices', { schema: { body, response: answers(device) } }, (request, reply) => {
  const { metadata = {}, spec } = request.body;
  const uid = `dev-${randomBytes(8).toString('hex')}`;
  const now = new Date().toISOString();
  const { name = uid, labels = {} } = metadata;
  const resource = {
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: { name, uid, createdAt: now, updatedAt: now, generation: 1, labels },
    spec,
    status: { ready: false },
  };
  create(resource);
  return sendResource(reply.code(201).header('Location', `/devices/${uid}`), resource);
});

const list = { schema: { response: answers({ type: 'array', items: device }) } };
app.get('/devices', list, (request) => {
  const { label, limit = -1 } = request.query;
  const rows = label === undefined ? sql.list.all(limit) : sql.listByLabel.all(...label.split('='), limit);
  return rows.map(resourceOf);
});

app.get('/devices/:uid', { schema: { response: answers(device) } }, (request, reply) => {
  const row = sql.get.get(request.params.uid);
  if (row === undefined) throw Object.assign(new Error('Device not found'), { statusCode: 404 });
  return sendResource(reply, resourceOf(row));
});

app.patch('/devices/:uid', { schema: { body: patch, response: answers(device) } }, (request, reply) => {
  const isSpec = (value) => request.validateInput(value, spec);
  const { params, headers, body } = request;
  return sendResource(reply, applyPatch(params.uid, headers['if-match'], body, isSpec));
});

await app.listen({ port: Number(process.env.PORT), host: '0.0.0.0' });
console.log('listening');
