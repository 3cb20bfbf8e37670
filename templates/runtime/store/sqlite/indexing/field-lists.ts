import { entryCondition } from '../../indexing/entry-queries';
import { type FieldRequirement, isRange, isSingle } from '../../indexing/requirement';
import type { Listed, ListQuery, StoredResource } from '../../store';
import type { Connection } from '../connection/driver';
import type { StatementCache } from '../connection/statement-cache';
import type { ListCondition } from '../parts/list-condition';
import type { FieldLists } from '../parts/sqlite-parts';
import { IndexIds } from './index-ids';
import { type SortedConditions, SortedList } from './sorted-list';

/** The id of an index that never had an entry. */
const NO_INDEX = -1;

/** Lists that are selected or sorted by fields, of one connection. */
export class SqliteFieldLists implements FieldLists {
  readonly #ids: IndexIds;
  readonly #sorted: SortedList;

  constructor(connection: Connection, statements: StatementCache) {
    this.#ids = new IndexIds(connection);
    this.#sorted = new SortedList(statements);
  }

  conditions(kind: number, { fields = [] }: ListQuery): ListCondition[] {
    return fields.map((requirement) => this.#condition(kind, requirement));
  }

  *sorted(
    kind: number,
    query: ListQuery,
    labels: ListCondition[],
  ): Generator<void, Listed<StoredResource>[]> {
    const index = this.#ids.find(kind, query.sort!.index!);
    // Each resource has an entry in each index.
    if (index === undefined) return [];
    return yield* this.#sorted.search(index, query, this.#conditions(kind, query, labels));
  }

  /** Returns all conditions of a query; those of the index that it is sorted by are also separate. */
  #conditions(kind: number, { fields = [], sort }: ListQuery, labels: ListCondition[]): SortedConditions {
    const [all, own, others] = [[...labels], [] as FieldRequirement[], [...labels]];
    for (const requirement of fields) {
      const condition = this.#condition(kind, requirement);
      all.push(condition);
      if (requirement.index === sort?.index && isRange(requirement)) own.push(requirement);
      else others.push(condition);
    }
    return { all, own, others };
  }

  #condition(kind: number, requirement: FieldRequirement): ListCondition {
    return fieldCondition(this.#ids.find(kind, requirement.index) ?? NO_INDEX, requirement);
  }
}

/** Returns the condition that a requirement of a field makes, in the index with this id. */
function fieldCondition(index: number, requirement: FieldRequirement): ListCondition {
  const { operator } = requirement;
  const isOrdered = isSingle(requirement);
  return {
    source:
      operator === 'notin'
        ? undefined
        : {
            table: 'fields',
            where: entryCondition('s', index, [requirement]),
            isOrdered,
            hasRepeats: !isOrdered,
          },
    lookUp: (id) => {
      const { sql, parameters } = entryCondition('x', index, [requirement]);
      const exists = operator === 'notin' ? 'NOT EXISTS' : 'EXISTS';
      return { sql: `${exists} (SELECT 1 FROM fields x WHERE x.resource = ${id} AND ${sql})`, parameters };
    },
  };
}
