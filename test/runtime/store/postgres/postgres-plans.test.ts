import { Client } from 'pg';
import { parseSelector } from '../../../../templates/runtime/model/selectors/selector';
import { EVENT_SQL } from '../../../../templates/runtime/store/postgres/events/event-sql';
import { CommonLabels, labelTokens } from '../../../../templates/runtime/store/postgres/statements/labels';
import { listQuery } from '../../../../templates/runtime/store/postgres/statements/list';
import { openStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

// Plans of PostgreSQL among so many rows that it might go through all of them.

const EVENTS = 20_000;
const MANY = 200_000;
const OF_A_RACK = 2;

interface PlanNode {
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns the most rows that a step of a plan goes through. */
function touchedBy(node: PlanNode): number {
  const rows = node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
  return Math.max(rows, ...(node.Plans ?? []).map(touchedBy));
}

describeWithPostgres('among many rows', () => {
  let server: PostgresServer;
  let client: Client;
  let url: string;
  const read = async <R>({ text, values }: { text: string; values: unknown[] }): Promise<R[]> =>
    (await client.query(text, values)).rows as R[];

  beforeAll(async () => {
    server = await postgresServer();
    url = await server.newDatabase();
    await (await openStore(url)).close();
    client = new Client(url);
    await client.connect();
    const token = (rack: string): string => labelTokens(1, { rack })[1];
    await client.query(
      `INSERT INTO resources (kind, uid, revision, version, etag, text, labels)
       SELECT 1, 'dev-' || n, 1, 'v1', '', repeat('x', 200), $1::text[] || ($2::text || n / ${OF_A_RACK})
       FROM generate_series(1, ${MANY}) n`,
      [labelTokens(1, { env: 'prod', rack: 'r' }).slice(0, 3), token('r')],
    );
  });

  afterAll(async () => {
    await client.end();
    await server.close();
  });

  /** Returns the number of rows that a query finds, and how many it goes through. */
  async function explain(text: string, values: unknown[]): Promise<{ found: number; touched: number }> {
    const [row] = await read<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    });
    const [{ Plan: plan }] = row['QUERY PLAN'];
    return { found: plan['Actual Rows'], touched: touchedBy(plan) };
  }

  async function page(selector: string): Promise<{ found: number; touched: number }> {
    const query = { after: 0, limit: 100, selector: parseSelector(selector) };
    const areFew = await new CommonLabels({ read: read }).areFew(1, query.selector);
    const { text, values } = listQuery(1, query, areFew);
    return explain(text, values);
  }

  test('a page looks at few resources, whether few or all have a label', async () => {
    await client.query('ANALYZE resources');
    const few = { 'rack=r9000': 2, 'rack=r9000,env=prod': 2, 'rack in (r9000, r7)': 4, 'rack=none': 0 };
    for (const [rare, count] of Object.entries(few)) {
      const { found, touched } = await page(rare);
      expect([rare, found]).toEqual([rare, count]);
      expect(touched).toBeLessThanOrEqual(100);
    }
    for (const common of ['env=prod', 'env', 'env!=dev', 'rack!=r9000', 'env in (prod, dev)']) {
      const { found, touched } = await page(common);
      expect([common, found]).toEqual([common, 100]);
      expect(touched).toBeLessThanOrEqual(200);
    }
  });

  test.each([
    ['no more events than are retained', EVENTS, 0],
    ['more', EVENTS - 600, 500],
  ])('retention counts the events only where there may be too many: %s', async (_case, keep, surplus) => {
    await client.query(
      `TRUNCATE events RESTART IDENTITY; UPDATE event_mark SET transaction = '0', position = 0;
       INSERT INTO events (id, type, kind, uid, text) SELECT 'e', 't', 1, 'u', '' FROM generate_series(1, ${EVENTS});
       ANALYZE events`,
    );
    const [{ horizon }] = await read<{ horizon: string }>({ text: EVENT_SQL.horizon, values: [] });
    const values = [500, keep, 7, 3600, horizon];
    const rows = await read<{ surplus: boolean }>({ text: EVENT_SQL.oldest, values });
    expect(rows.filter((row) => row.surplus)).toHaveLength(surplus);
    const { found, touched } = await explain(EVENT_SQL.oldest, values);
    expect(found).toBe(500);
    if (surplus === 0) expect(touched).toBeLessThanOrEqual(500);
  });

  test('a deletion of old events of one transaction looks only at those', async () => {
    await client.query(
      `TRUNCATE events RESTART IDENTITY; UPDATE event_mark SET transaction = '0', position = 0;
       INSERT INTO events (id, type, kind, uid, text) SELECT 'e', 't', 1, 'u', '' FROM generate_series(1, ${EVENTS});
       ANALYZE events`,
    );
    const numbers = Array.from({ length: 500 }, (_, index) => index + 1);
    const [{ transaction }] = await read<{ transaction: string }>({
      text: 'SELECT transaction::text FROM events LIMIT 1',
      values: [],
    });
    const { touched } = await explain(EVENT_SQL.prune, [transaction, 500, numbers]);
    expect(touched).toBe(500);
    const left = await read<{ first: number }>({
      text: 'SELECT min(position)::integer AS first FROM events',
      values: [],
    });
    expect(left).toEqual([{ first: 501 }]);
  });

  test('retention does not look again at what it has removed, while vacuum is held up', async () => {
    const stranger = await holdUp();
    try {
      await client.query(
        `TRUNCATE events RESTART IDENTITY; UPDATE event_mark SET transaction = '0', position = 0;
         INSERT INTO events (id, type, kind, uid, text) SELECT 'e', 't', 1, 'u', '' FROM generate_series(1, ${EVENTS});
         UPDATE event_mark SET (transaction, position) =
           (SELECT transaction, position FROM events ORDER BY position DESC OFFSET 1000 LIMIT 1);
         DELETE FROM events WHERE position <= (SELECT position FROM event_mark);
         ANALYZE events`,
      );
      // As in a table that is too large to be gone through.
      await client.query('SET enable_seqscan = off');
      const [{ horizon }] = await read<{ horizon: string }>({ text: EVENT_SQL.horizon, values: [] });
      const [row] = await read<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>({
        text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${EVENT_SQL.oldest}`,
        values: [500, EVENTS, 7, 3600, horizon],
      });
      expect(row['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(100);
    } finally {
      await stranger.end();
      await client.query('RESET enable_seqscan');
    }
  });

  /** Returns a client whose open transaction keeps removed rows from being forgotten. */
  async function holdUp(): Promise<Client> {
    const stranger = new Client(url);
    await stranger.connect();
    await stranger.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id()');
    return stranger;
  }
});
