import { kindsOf } from '../../command';
import type { Refused } from '../../indexing/resource-index';
import type { WriteResult } from '../../store';
import { IS_BEGUN } from '../servers/durable';
import { isViolation } from '../servers/errors';
import type { PostgresConnections, PostgresQuery } from '../statements/connections';
import type { Outcome } from '../statements/queue';
import { inputArrays, inputColumns, type Sent as SentCommand, sentOf, stillOpen } from '../statements/writer';
import { type Entries, entryArrays, entryTables, readEntries } from './entries';
import type { EntryIds } from './index-ids';
import { type IndexedStatement, type IndexedWrite, JUDGEMENT } from './statements';

interface Sent<C> extends SentCommand<C> {
  entries: Entries;
}

/** A row of a judged statement: a command that was done, must wait, or was refused for one reason. */
interface Judged {
  [column: string]: unknown;
  n: number;
  what: 'done' | 'waits' | 'taken' | 'missing' | 'referred';
  detail: number;
}

/** The number of attempts with all commands of a batch. After them each has half as many. */
const TOGETHER = 2;

/** Applies a batch of commands of resources with entries, all in one transaction. Throws StoreBusy and StoreUnavailable. */
export class IndexedWriter<C extends IndexedWrite> {
  readonly #text: string;
  readonly #judged: string;
  readonly #counted: string;

  constructor(
    private readonly statement: IndexedStatement<C>,
    private readonly connections: PostgresConnections,
    private readonly ids: EntryIds,
  ) {
    const { base, matched, entries } = statement;
    const { arrays, names, count } = inputColumns(base.columns);
    const tried = `$${count + 1}::boolean[]`;
    const head = (
      condition: string,
    ): string => `WITH given AS (SELECT * FROM unnest(${arrays}, ${tried}) WITH ORDINALITY AS t (${names}, tried, n)),
      ${entryTables(count + 1)}, matched AS (${matched}), ${JUDGEMENT},
      input AS (SELECT * FROM given WHERE ${condition} AND n NOT IN (SELECT n FROM refused))`;
    const parts = Object.entries({ ...base.parts, ...entries }).map(([name, sql]) => `${name} AS (${sql})`);
    const applying = `${head(`tried AND ${IS_BEGUN}`)}, ${parts.join(',\n')}`;
    this.#text = `${applying}
      SELECT n, 'done' AS what, 0 AS detail FROM done UNION ALL SELECT n, what, detail FROM refused
      UNION ALL SELECT i.n, 'waits', 0 FROM given i JOIN matched USING (n)
        WHERE NOT i.tried AND i.n NOT IN (SELECT n FROM refused)`;
    this.#judged = `${head('tried')} SELECT n, 'done' AS what, 0 AS detail FROM matched WHERE n IN (SELECT n FROM input)
      UNION ALL SELECT n, what, detail FROM refused`;
    // Division by zero fails the transaction where not all are done.
    this.#counted = `${applying} SELECT 1 / ((SELECT count(*) FROM done) = (SELECT count(*) FROM given))::integer`;
  }

  /** Applies those that neither clash with one another nor with what is stored. What other commands hinder is `busy`. */
  async apply(batch: readonly C[]): Promise<Outcome[]> {
    const results = batch.map((): Outcome => 'conflict');
    const { generation } = this.connections;
    const sent = await this.#prepare(batch, this.ids);
    if (sent.length === 0) return results;
    const judged = await this.#judge(sent, generation);
    const rest = new Set(sent);
    for (const { n, what } of judged) {
      const each = sent[n - 1];
      // A refused command has a row for each reason, and a refusal names all of them.
      if (!rest.delete(each)) continue;
      results[each.place] = what === 'done' ? 'done' : what === 'waits' ? 'busy' : refusal(each, n, judged);
    }
    for (const { place } of await stillOpen(this.connections, this.statement.base, [...rest]))
      results[place] = 'busy';
    return results;
  }

  /**
   * Returns the result that a command with unrecorded ids would have now. It only reads, in a transaction that is refused
   * where that of the command would be.
   */
  async judge(command: C, ids: EntryIds): Promise<WriteResult> {
    const sent = await this.#prepare([command], ids);
    const values = this.#values(sent, () => true);
    const name = `${this.statement.base.name}-judged`;
    const query = { name, text: this.#judged, values, kinds: kindsOf([command]) };
    const [judged] = await this.connections.writeAll<Judged>([query], 'ROLLBACK');
    if (judged.length === 0) return 'conflict';
    return judged[0].what === 'done' ? 'done' : refusal(sent[0], 1, judged);
  }

  /** Returns a query that fails with a division by zero unless it does all of these. */
  async all(commands: readonly C[], ids: EntryIds): Promise<PostgresQuery> {
    const sent = await this.#prepare(commands, ids);
    return { text: this.#counted, values: this.#values(sent, () => true) };
  }

  /** Returns why some of these are refused; `judge` runs a query and undoes it. */
  async explain(
    commands: readonly C[],
    ids: EntryIds,
    judge: (query: PostgresQuery) => Promise<Judged[]>,
  ): Promise<Refused | undefined> {
    const sent = await this.#prepare(commands, ids);
    const judged = await judge({ text: this.#text, values: this.#values(sent, () => true) });
    const refused = judged.find(({ what }) => what !== 'done' && what !== 'waits');
    return refused && refusal(sent[refused.n - 1], refused.n, judged);
  }

  async #prepare(batch: readonly C[], ids: EntryIds): Promise<Sent<C>[]> {
    const sent = await sentOf(this.statement.base, batch, (command) => ids.kindOf(command));
    const prepared = sent.map(async (each): Promise<Sent<C>> => {
      const { command, kind } = each;
      const index = command.action === 'delete' ? undefined : command.index;
      return { ...each, entries: await readEntries(ids, kind, index) };
    });
    return Promise.all(prepared);
  }

  /** Runs the statement, again where another process has just written the same entries: a new snapshot sees them. */
  async #judge(sent: readonly Sent<C>[], generation: number): Promise<Judged[]> {
    const first = firstClaims(sent);
    const kinds = kindsOf(sent.map(({ command }) => command));
    for (let attempt = 1, most = sent.length; ; attempt++) {
      try {
        const values = this.#values(sent, (each, index) => index < most && first.has(each));
        const name = `${this.statement.base.name}-indexed`;
        return await this.connections.write<Judged>({ name, text: this.#text, values, generation, kinds });
      } catch (error) {
        if (!isViolation(error)) throw error;
        if (attempt >= TOGETHER) most = Math.floor(most / 2);
      }
    }
  }

  #values(sent: readonly Sent<C>[], isTried: (each: Sent<C>, index: number) => boolean): unknown[] {
    return [
      ...inputArrays(this.statement.base.columns, sent),
      sent.map(isTried),
      ...entryArrays(sent.map(({ entries }) => entries)),
    ];
  }
}

/** The first command with each unique entry. Others wait until it is known whether that has it. */
function firstClaims<C>(sent: readonly Sent<C>[]): Set<Sent<C>> {
  const claimed = new Set<string>();
  const first = new Set<Sent<C>>();
  for (const each of sent) {
    const claims = each.entries.unique.map(({ index, key }) => `${index} ${key}`);
    if (claims.some((claim) => claimed.has(claim))) continue;
    for (const claim of claims) claimed.add(claim);
    first.add(each);
  }
  return first;
}

function refusal<C extends IndexedWrite>(
  { command }: Sent<C>,
  n: number,
  judged: readonly Judged[],
): Refused {
  const positions = (what: Judged['what']): number[] =>
    judged.flatMap((row) => (row.n === n && row.what === what ? [row.detail] : [])).sort((a, b) => a - b);
  const unique = command.action === 'delete' ? [] : (command.index?.unique ?? []);
  return {
    taken: positions('taken').map((position) => unique[position].index),
    missing: positions('missing'),
    isReferred: positions('referred').length > 0,
  };
}
