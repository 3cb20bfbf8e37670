import type { IndexEntry } from '../../indexes';
import { bytesOf } from '../../indexing/key';
import { changedKinds, digestsToBe } from '../../indexing/rebuild';
import type {
  IndexedKind,
  IndexProblem,
  Progress,
  Referrer,
  StoreIndexes,
} from '../../indexing/store-indexes';
import { ANY_TEXT, type Listed, listed, type StoredResource } from '../../store';
import { orOmitted, rowBytes } from '../../stored-resource';
import type { OpenedStore, OpenPart } from '../postgres-parts';
import { withClient } from '../servers/line';
import { PostgresFieldLists } from './field-list';
import { PostgresIndexIds } from './index-ids';
import { DIGESTS, type NotedDigest, PATIENT, remakeChanged, toMap } from './index-state';
import { IndexedWrites } from './indexed-writes';

const FIND = `SELECT given.n, r.id, r.uid, r.revision, r.version, r.etag, r.position, ${orOmitted('r', '$3::int')}
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

/** Opens the indexes of a store. */
export function openIndexes(store: OpenedStore): OpenPart {
  const ids = new PostgresIndexIds(store.writes);
  return {
    adds: { indexes: new PostgresIndexes(store, ids) },
    indexed: { lists: new PostgresFieldLists(store, ids), writes: new IndexedWrites(store, ids) },
  };
}

class PostgresIndexes implements StoreIndexes {
  constructor(
    private readonly store: OpenedStore,
    private readonly ids: PostgresIndexIds,
  ) {}

  async findAll(
    kind: string,
    entries: readonly IndexEntry[],
    maxText = ANY_TEXT,
  ): Promise<(Listed<StoredResource> | undefined)[]> {
    const found: (Listed<StoredResource> | undefined)[] = entries.map(() => undefined);
    const id = await this.store.kinds.find(kind);
    if (id === undefined) return found;
    const ids = await this.ids.find(id, [...new Set(entries.map(({ index }) => index))]);
    const rows = await this.store.reads.read<StoredResource & { n: number; omitted: number | null }>({
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

  referrers(ids: readonly number[], limit: number): Promise<Referrer[]> {
    return this.store.reads.read<Referrer & { [column: string]: unknown }>({
      name: 'referrers',
      text: REFERRERS,
      values: [ids, limit],
    });
  }

  /**
   * Other processes read meanwhile. They write while the entries of new indexes are made, and wait for the others: each locks
   * the table before it compares the digests. Later, those of a release with other digests are refused.
   */
  async rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    const { reads, servers, writes } = this.store;
    const digests = toMap(await reads.read<NotedDigest>({ text: DIGESTS, values: [] }));
    const isDone = changedKinds(kinds, digests).length === 0;
    const problems = isDone
      ? []
      : await withClient(servers.connect(PATIENT), ({ client }) => remakeChanged(client, kinds, progress));
    if (problems.length === 0) writes.declare(digestsToBe(kinds));
    return problems;
  }
}
