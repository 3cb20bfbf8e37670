import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import express from 'express';
import { openDatabase } from './database.mjs';
import {
  answerError,
  Body,
  checkMatch,
  Labels,
  mergePatch,
  resourceOf,
  sendResource,
  Spec,
} from './device.mjs';

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

const db = drizzle(openDatabase(process.env.DATABASE));
const app = express();
app.use(express.json());

const find = (query, uid) => query.select().from(devices).where(eq(devices.uid, uid)).get();

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

app.get('/devices/:uid', (req, res) => {
  const row = find(db, req.params.uid);
  checkMatch(req, row);
  sendResource(res, row);
});

app.patch('/devices/:uid', express.json({ type: 'application/merge-patch+json' }), (req, res) => {
  const row = db.transaction((transaction) => {
    const current = find(transaction, req.params.uid);
    checkMatch(req, current);
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

app.use(answerError);

app.listen(Number(process.env.PORT), () => console.log('listening'));
