import { Client } from 'pg';
import { parseSelector } from '../../templates/runtime/model/selector';
import { CommonLabels } from '../../templates/runtime/store/postgres/common-labels';
import { labelTokens, listQuery } from '../../templates/runtime/store/postgres/statements/labels';
import { openStore } from './open-store';
import { describeWithPostgres, postgresServer, type PostgresServer } from './postgres-server';

// The plans of PostgreSQL for labels among so many resources that it would rather go through all of them.

const MANY = 200_000;
const OF_A_RACK = 2;

interface PlanNode {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

describeWithPostgres('labels of many resources', () => {
  let server: PostgresServer;
  let client: Client;
  const read = async <R>({ text, values }: { text: string; values: unknown[] }): Promise<R[]> =>
    (await client.query(text, values)).rows as R[];

  beforeAll(async () => {
    server = await postgresServer();
    const url = await server.newDatabase();
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

  /** Returns the number of rows that a page goes through, by the largest step of its plan. */
  async function rowsOf(selector: string): Promise<{ found: number; touched: number }> {
    const query = { after: 0, limit: 100, selector: parseSelector(selector) };
    const areFew = await new CommonLabels({ read: read }).areFew(1, query.selector);
    const { text, values } = listQuery(1, query, areFew);
    const [row] = await read<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    });
    const touched = (node: PlanNode): number =>
      Math.max(
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0),
        ...(node.Plans ?? []).map(touched),
      );
    const [{ Plan: plan }] = row['QUERY PLAN'];
    return { found: plan['Actual Rows'], touched: touched(plan) };
  }

  test('a page looks at few resources, whether few or all have a label', async () => {
    await client.query('ANALYZE resources');
    const few = { 'rack=r9000': 2, 'rack=r9000,env=prod': 2, 'rack in (r9000, r7)': 4, 'rack=none': 0 };
    for (const [rare, count] of Object.entries(few)) {
      const { found, touched } = await rowsOf(rare);
      expect([rare, found]).toEqual([rare, count]);
      expect(touched).toBeLessThanOrEqual(100);
    }
    for (const common of ['env=prod', 'env', 'env!=dev', 'rack!=r9000', 'env in (prod, dev)']) {
      const { found, touched } = await rowsOf(common);
      expect([common, found]).toEqual([common, 100]);
      expect(touched).toBeLessThanOrEqual(200);
    }
  });
});
