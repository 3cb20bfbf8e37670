import { bytesOf } from '../../indexing/key';
import type { IndexEntry, Referrer } from '../../indexing/resource-index';
import type { Listed, StoredResource } from '../../store';
import { rowBytes } from '../../stored-resource';
import type { Connection, Statement } from '../connection/driver';
import { COLUMNS, type ListedArray, type ListedRow, toListed } from '../reads/listed-row';
import { IndexIds } from './index-ids';

/** The reads of unique entries and references. */
export class IndexReader {
  readonly #ids: IndexIds;
  readonly #find: Statement<ListedRow | ListedArray>;
  readonly #referrers: Statement<Referrer>;

  constructor(connection: Connection) {
    this.#ids = new IndexIds(connection);
    this.#find = connection.prepare(
      `SELECT ${COLUMNS}
       FROM uniques u CROSS JOIN resources r ON r.id = u.resource WHERE u.index_id = ? AND u.key = ?`,
    );
    this.#find.setReturnArrays?.(true);
    this.#referrers = connection.prepare(
      `SELECT k.name AS kind, r.id, r.uid, ${rowBytes('r')} AS bytes, x.name AS field, t.name AS "index"
       FROM (
         SELECT DISTINCT f.resource, f.index_id, f.target_index FROM json_each(?) given
         CROSS JOIN uniques u ON u.resource = given.value
         CROSS JOIN refs f ON f.target_index = u.index_id AND f.target_key = u.key AND f.resource <> u.resource
       ) f
       CROSS JOIN resources r ON r.id = f.resource
       CROSS JOIN kinds k ON k.id = r.kind
       CROSS JOIN indexes x ON x.id = f.index_id
       CROSS JOIN indexes t ON t.id = f.target_index
       ORDER BY r.id LIMIT ?`,
    );
  }

  /** Returns the resources of a kind with these unique entries, as the store does. */
  findAll(
    kind: number,
    entries: readonly IndexEntry[],
    maxText: number,
  ): (Listed<StoredResource> | undefined)[] {
    return entries.map(({ index, key }) => {
      const id = this.#ids.find(kind, index);
      const row = id === undefined ? undefined : this.#find.get(maxText, maxText, id, bytesOf(key));
      return row && toListed(row);
    });
  }

  /** Returns the resources that refer to others with these ids: at most `limit`, in order of creation. */
  referrers(ids: readonly number[], limit: number): Referrer[] {
    return this.#referrers.all(JSON.stringify(ids), limit);
  }
}
