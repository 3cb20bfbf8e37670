import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, bigserial, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import express from 'express';
import pg from 'pg';
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

/** The Device service of express.mjs on PostgreSQL: a pool, a transaction for each write. */

const devices = pgTable('devices', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  uid: text().notNull().unique(),
  version: integer().notNull(),
  name: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  labels: jsonb().notNull(),
  spec: jsonb().notNull(),
  status: jsonb().notNull(),
});

const deviceLabels = pgTable(
  'device_labels',
  {
    device: bigint({ mode: 'number' })
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    value: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.device, table.key] })],
);

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  CREATE TABLE devices (
    id bigserial PRIMARY KEY,
    uid text NOT NULL UNIQUE,
    version integer NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    labels jsonb NOT NULL,
    spec jsonb NOT NULL,
    status jsonb NOT NULL
  );
  CREATE TABLE device_labels (
    device bigint NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    key text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (device, key)
  );
  CREATE INDEX device_labels_by_value ON device_labels (key, value, device)`);
const db = drizzle(pool);

const app = express();
app.use(express.json());

async function addLabels(transaction, device, labels) {
  const rows = Object.entries(labels).map(([key, value]) => ({ device, key, value }));
  if (rows.length > 0) await transaction.insert(deviceLabels).values(rows);
}

app.post('/devices', async (req, res) => {
  const { metadata = {}, spec } = Body.parse(req.body);
  const uid = `dev-${randomBytes(8).toString('hex')}`;
  const now = new Date();
  const { name = uid, labels = {} } = metadata;
  const row = await db.transaction(async (transaction) => {
    const [created] = await transaction
      .insert(devices)
      .values({
        uid,
        version: 1,
        name,
        createdAt: now,
        updatedAt: now,
        labels,
        spec,
        status: { ready: false },
      })
      .returning();
    await addLabels(transaction, created.id, labels);
    return created;
  });
  sendResource(res.status(201).location(`/devices/${uid}`), row);
});

app.get('/devices', async (req, res) => {
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
  const rows = await (limit === undefined ? query : query.limit(Number(limit)));
  res.json(rows.map(resourceOf));
});

app.get('/devices/:uid', async (req, res) => {
  const [row] = await db.select().from(devices).where(eq(devices.uid, req.params.uid));
  checkMatch(req, row);
  sendResource(res, row);
});

app.patch('/devices/:uid', express.json({ type: 'application/merge-patch+json' }), async (req, res) => {
  const row = await db.transaction(async (transaction) => {
    const [current] = await transaction
      .select()
      .from(devices)
      .where(eq(devices.uid, req.params.uid))
      .for('update');
    checkMatch(req, current);
    const { metadata, spec } = mergePatch(resourceOf(current), req.body);
    const { name = current.uid, labels = {} } = metadata;
    if (JSON.stringify(labels) !== JSON.stringify(current.labels)) {
      await transaction.delete(deviceLabels).where(eq(deviceLabels.device, current.id));
      await addLabels(transaction, current.id, Labels.parse(labels));
    }
    const [updated] = await transaction
      .update(devices)
      .set({ name, labels, spec: Spec.parse(spec), version: current.version + 1, updatedAt: new Date() })
      .where(eq(devices.id, current.id))
      .returning();
    return updated;
  });
  sendResource(res, row);
});

app.use(answerError);

app.listen(Number(process.env.PORT), () => console.log('listening'));
