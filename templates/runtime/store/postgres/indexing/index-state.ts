import type { Client } from 'pg';
import type { IndexedKind, IndexProblem, Progress } from '../../indexes';
import { changedKinds, digestsToBe } from '../../indexing/index-state';
import { rebuild } from '../../indexing/rebuild';
import type { PostgresConnections } from '../statements/connections';
import { DURABLE } from '../servers/durable';
import { storeError } from '../servers/errors';
import type { PostgresTimeouts } from '../servers/hosts';
import { schemaVersion } from '../schema/migrations';
import { checkServer } from '../servers/server';
import { PostgresServers } from '../servers/servers';
import { PostgresRebuild } from './rebuild-target';
import { TEMPORARY_INDEXING } from '../schema/index-tables';

/** A connection whose queries may take their time. */
const PATIENT = { query_timeout: undefined };

/** The advisory lock under which entries are made anew. */
const LOCK = 0x73766368;

/** The rules under which the entries of a PostgreSQL database were made. */
export class PostgresIndexState {
  constructor(
    private readonly servers: PostgresServers,
    private readonly reads: PostgresConnections,
    private readonly writes: Pick<PostgresConnections, 'declare'>,
  ) {}

  async digests(): Promise<ReadonlyMap<string, string>> {
    return toMap(await this.reads.read<NotedDigest>({ text: DIGESTS, values: [] }));
  }

  /**
   * Other processes read meanwhile, and wait with their writes: each locks the table before it compares the digests. Later,
   * those of a release with other digests are refused.
   */
  async rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    const problems = await this.#rebuild(kinds, progress);
    if (problems.length === 0) this.writes.declare(digestsToBe(kinds));
    return problems;
  }

  async #rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    if (changedKinds(kinds, await this.digests()).length === 0) return [];
    return this.#with(async (client) => {
      await client.query(`BEGIN; ${DURABLE}; SELECT pg_advisory_xact_lock(${LOCK})`);
      await client.query('LOCK TABLE resources IN SHARE ROW EXCLUSIVE MODE; SET CONSTRAINTS ALL DEFERRED');
      // Another process may have been faster.
      const left = changedKinds(kinds, toMap((await client.query<NotedDigest>(DIGESTS)).rows));
      const problems = await rebuild(new PostgresRebuild(client), left, progress);
      await client.query(problems.length === 0 ? 'COMMIT' : 'ROLLBACK');
      if (left.length > 0 && problems.length === 0) await client.query('ANALYZE fields, uniques, refs');
      return problems;
    });
  }

  check(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    return this.#with((client) => check(client, kinds, progress));
  }

  /** Runs an action on a connection of its own. */
  #with<T>(action: (client: Client) => Promise<T>): Promise<T> {
    const client = (): Promise<Client> => this.servers.connect(PATIENT).then((line) => line.client);
    return withClient(client, action);
  }
}

/**
 * Returns the resources of a database that break rules, and changes nothing; none where it has no tables yet. Throws
 * StoreRefused and StoreUnavailable.
 */
export function checkPostgresIndexes(
  url: string,
  timeouts: PostgresTimeouts,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  const inspect = (): Promise<Client> =>
    new PostgresServers(url, timeouts, { isInspection: true })
      .inspect({ config: PATIENT, check: checkServer })
      .then(({ client }) => client);
  return withClient(inspect, async (client) => {
    return (await schemaVersion(client)) === undefined ? [] : check(client, kinds, progress);
  });
}

/** Makes the entries in temporary tables, in a transaction that is left open. */
async function check(
  client: Client,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  await client.query(
    `BEGIN ISOLATION LEVEL REPEATABLE READ; ${TEMPORARY_INDEXING}; SET CONSTRAINTS ALL DEFERRED`,
  );
  return rebuild(new PostgresRebuild(client), kinds, progress);
}

/** Runs an action on a connection. A transaction that it leaves open is undone. */
async function withClient<T>(
  connect: () => Promise<Client>,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  let client: Client | undefined;
  try {
    client = await connect();
    return await action(client);
  } catch (error) {
    throw storeError(error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** A kind and the digest that its entries were made under. */
interface NotedDigest {
  [column: string]: unknown;
  kind: string;
  digest: string;
}

const DIGESTS = 'SELECT kind, digest FROM index_states';

function toMap(rows: readonly NotedDigest[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ kind, digest }) => [kind, digest]));
}
