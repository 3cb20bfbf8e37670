import { bytesOf } from '../../indexing/key';
import type { IndexEntry, Referrer } from '../../indexing/resource-index';
import type { Listed, StoredResource } from '../../store';
import { rowBytes } from '../../stored-resource';
import type { PostgresConnections } from '../statements/connections';
import { listed, orOmitted } from '../statements/labels';
import type { PostgresIndexIds } from './index-ids';

const FIND = `SELECT given.n, r.id, r.uid, r.revision, r.version, r.etag, r.position, ${orOmitted('r', '$3')}
  FROM unnest($1::integer[], $2::bytea[]) WITH ORDINALITY AS given (index_id, key, n)
  JOIN uniques u USING (index_id, key) JOIN resources r ON r.id = u.resource`;

const REFERRERS = `SELECT k.name AS kind, r.id, r.uid, ${rowBytes('r')} AS bytes, x.name AS field, t.name AS index
  FROM (
    SELECT DISTINCT f.resource, f.index_id, f.target_index FROM uniques u
    JOIN refs f ON f.target_index = u.index_id AND f.target_key = u.key AND f.resource <> u.resource
    WHERE u.resource = ANY ($1::bigint[])
  ) f
  JOIN resources r ON r.id = f.resource JOIN kinds k ON k.id = r.kind
  JOIN indexes x ON x.id = f.index_id JOIN indexes t ON t.id = f.target_index ORDER BY r.id LIMIT $2`;

/** The reads of unique entries and references. */
export class PostgresIndexReader {
  constructor(
    private readonly connections: PostgresConnections,
    private readonly ids: PostgresIndexIds,
  ) {}

  /** Returns the resources of a kind with these unique entries, as the store does. */
  async findAll(
    kind: number,
    entries: readonly IndexEntry[],
    maxText: number,
  ): Promise<(Listed<StoredResource> | undefined)[]> {
    const names = [...new Set(entries.map(({ index }) => index))];
    const ids = await this.ids.find(kind, names);
    const found: (Listed<StoredResource> | undefined)[] = entries.map(() => undefined);
    const rows = await this.connections.read<StoredResource & { n: number; omitted: number | null }>({
      name: 'find',
      text: FIND,
      values: [
        entries.map(({ index }) => ids.get(index) ?? null),
        entries.map(({ key }) => bytesOf(key)),
        maxText,
      ],
    });
    for (const { n, ...row } of rows) found[n - 1] = listed(row);
    return found;
  }

  /** Returns those that refer to others with these ids: so many at most, in order of creation. */
  referrers(ids: readonly number[], limit: number): Promise<Referrer[]> {
    return this.connections.read<Referrer & { [column: string]: unknown }>({
      name: 'referrers',
      text: REFERRERS,
      values: [ids, limit],
    });
  }
}
