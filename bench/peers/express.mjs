import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import express from 'express';
import { z } from 'zod';
import { openDatabase } from './database.mjs';

/** The Device service as people write it with Express 5, zod and Drizzle. */

const devices = sqliteTable('devices', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  version: integer().notNull(),
  name: text().notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  labels: text({ mode: 'json' }).notNull(),
  spec: text({ mode: 'json' }).notNull(),
  status: text({ mode: 'json' }).notNull(),
});

const deviceLabels = sqliteTable(
  'device_labels',
  {
    device: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    value: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.device, table.key] })],
);

const Spec = z.strictObject({
  name: z.string(),
  location: z.string(),
  model: z.string().optional(),
  config: z.record(z.string(), z.string()).optional(),
});

const Labels = z.record(z.string(), z.string());

const Body = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.literal('Device').optional(),
  metadata: z.object({ name: z.string().optional(), labels: Labels.optional() }).optional(),
  spec: Spec,
});

const db = drizzle(openDatabase(process.env.DATABASE));
const app = express();
app.use(express.json());

function resourceOf(row) {
  const { uid, name, createdAt, updatedAt, labels, spec, status } = row;
  const metadata = { name, uid, createdAt, updatedAt, generation: row.version, labels };
  return { apiVersion: 'example.svc.dev/v1', kind: 'Device', metadata, spec, status };
}

const etagOf = (row) => `"${row.version}"`;

function sendResource(res, row) {
  res
    .set({ ETag: etagOf(row), 'Last-Modified': new Date(row.updatedAt).toUTCString() })
    .json(resourceOf(row));
}

function find(query, uid) {
  const row = query.select().from(devices).where(eq(devices.uid, uid)).get();
  if (row === undefined) throw Object.assign(new Error('Device not found'), { status: 404 });
  return row;
}

function addLabels(transaction, device, labels) {
  const rows = Object.entries(labels).map(([key, value]) => ({ device, key, value }));
  if (rows.length > 0) transaction.insert(deviceLabels).values(rows).run();
}

app.post('/devices', (req, res) => {
  const { metadata = {}, spec } = Body.parse(req.body);
  const uid = `dev-${randomBytes(8).toString('hex')}`;
  const now = new Date().toISOString();
  const labels = metadata.labels ?? {};
  const row = db.transaction((transaction) => {
    const values = {
      uid,
      version: 1,
      name: metadata.name ?? uid,
      createdAt: now,
      updatedAt: now,
      labels,
      spec,
    };
    const created = transaction
      .insert(devices)
      .values({ ...values, status: { ready: false } })
      .returning()
      .get();
    addLabels(transaction, created.id, labels);
    return created;
  });
  sendResource(res.status(201).location(`/devices/${uid}`), row);
});

app.get('/devices', (req, res) => {
  const { label, limit } = req.query;
  const [key, value] = (label ?? '').split('=');
  const labelled = db
    .select({ id: deviceLabels.device })
    .from(deviceLabels)
    .where(and(eq(deviceLabels.key, key), eq(deviceLabels.value, value ?? '')));
  const query = db
    .select()
    .from(devices)
    .where(label === undefined ? undefined : inArray(devices.id, labelled))
    .orderBy(asc(devices.id));
  const rows = limit === undefined ? query.all() : query.limit(Number(limit)).all();
  res.json(rows.map(resourceOf));
});

app.get('/devices/:uid', (req, res) => sendResource(res, find(db, req.params.uid)));

app.patch('/devices/:uid', express.json({ type: 'application/merge-patch+json' }), (req, res) => {
  const row = db.transaction((transaction) => {
    const current = find(transaction, req.params.uid);
    const ifMatch = req.get('If-Match');
    if (ifMatch !== undefined && ifMatch !== etagOf(current)) {
      throw Object.assign(new Error('The device has changed'), { status: 412 });
    }
    const { metadata, spec } = mergePatch(resourceOf(current), req.body);
    const { name = current.uid, labels = {} } = metadata;
    const changes = { name, labels, spec: Spec.parse(spec), version: current.version + 1 };
    if (JSON.stringify(labels) !== JSON.stringify(current.labels)) {
      transaction.delete(deviceLabels).where(eq(deviceLabels.device, current.id)).run();
      addLabels(transaction, current.id, Labels.parse(labels));
    }
    return transaction
      .update(devices)
      .set({ ...changes, updatedAt: new Date().toISOString() })
      .where(eq(devices.id, current.id))
      .returning()
      .get();
  });
  sendResource(res, row);
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

app.use((error, _req, res, _next) => {
  if (error instanceof z.ZodError) res.status(400).json({ errors: error.issues });
  else res.status(error.status ?? 500).json({ error: error.status ? error.message : 'Internal error' });
});

app.listen(Number(process.env.PORT), () => console.log('listening'));
