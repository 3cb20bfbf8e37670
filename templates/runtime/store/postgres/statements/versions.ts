import type { Client, QueryResultRow } from 'pg';
import {
  RECORDED_VERSIONS,
  STORED_VERSIONS,
  type StoredCount,
  type StoredVersion,
  type StoredVersions,
} from '../../stored-versions';
import type { PostgresConnections, PostgresQuery } from './connections';

const KIND = '(SELECT id FROM kinds WHERE name = $1)';
const COUNT = `SELECT (SELECT count(*) FROM resources WHERE kind = ${KIND} AND version = $2) AS resources,
  (SELECT count(*) FROM resources r JOIN snapshots s ON s.resource = r.id
   WHERE r.kind = ${KIND} AND s.version = $2) AS snapshots`;

/** The API versions that resources and snapshots are stored in. */
export class PostgresVersions implements StoredVersions {
  constructor(private readonly reads: Pick<PostgresConnections, 'read'>) {}

  /** Reads on one connection, and in its transaction. */
  static on(client: Client): PostgresVersions {
    return new PostgresVersions({
      read: async <Row extends QueryResultRow>({ text, values }: PostgresQuery) =>
        (await client.query<Row>(text, values)).rows,
    });
  }

  recorded(): Promise<StoredVersion[]> {
    return this.reads.read<StoredVersion>({ text: RECORDED_VERSIONS, values: [] });
  }

  all(): Promise<StoredVersion[]> {
    return this.reads.read<StoredVersion>({ text: STORED_VERSIONS, values: [] });
  }

  async count({ kind, version }: StoredVersion): Promise<StoredCount> {
    const [count] = await this.reads.read<StoredCount>({ text: COUNT, values: [kind, version] });
    return count;
  }
}
