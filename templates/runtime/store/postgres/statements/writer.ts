import type { Command } from '../../command';
import { kindsOf } from '../../declared';
import { StoreBusy } from '../../retry-busy';
import { IS_BEGUN } from '../servers/durable';
import { isViolation } from '../servers/errors';
import type { PostgresConnections, PostgresQuery } from './connections';
import type { PostgresKinds } from './kinds';
import type { Outcome } from './queue';

/** The commands with this action. */
export type Of<Action> = Extract<Command, { action: Action }>;

/** The commands that are applied in batches, those of one action together. */
export type Batched = Of<'create' | 'update' | 'delete' | 'deleteSnapshot'>;

/** A column of the input of a statement: its name, its type, and its value for a command. */
export interface Column<C> {
  name: string;
  type: 'bigint' | 'integer' | 'text';
  of(command: C, kind: number): string | number | null;
}

/** Makes a column. */
export const column = <C>(name: string, type: Column<C>['type'], of: Column<C>['of']): Column<C> => ({
  name,
  type,
  of,
});

/** A kind of command, as one statement that applies many at once. */
export interface BatchStatement<C> {
  name: string;
  columns: Column<C>[];
  /** The parts after `input`; `done` has `n`, the number of each applied command. They do not wait for locked rows. */
  parts: { [name: string]: string };
  /** Selects `n` of the commands that would apply, also where another transaction has locked the row. */
  open?: string;
  /** Set where it fails when another transaction has just written the same; then it is applied again. */
  hasRaces?: true;
  /** Commands with the same key are the same condition: only the first of them can apply. */
  key(command: C): string;
}

/** Applies a batch of commands of one kind, all in one transaction. Throws StoreBusy and StoreUnavailable. */
export class PostgresWriter<C extends Batched> {
  readonly #text: string;
  readonly #openText: string | undefined;

  constructor(
    private readonly statement: BatchStatement<C>,
    private readonly connections: PostgresConnections,
    private readonly kinds: PostgresKinds,
  ) {
    const { arrays, names } = inputColumns(statement.columns);
    const parts = Object.entries(statement.parts).map(([name, sql]) => `${name} AS (${sql})`);
    const input = `SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS t (${names}, n)`;
    this.#text = `WITH input AS (${input} WHERE ${IS_BEGUN}), ${parts.join(',\n')} SELECT n FROM done`;
    this.#openText = statement.open && `WITH input AS (${input}) ${statement.open}`;
  }

  async apply(batch: readonly C[]): Promise<Outcome[]> {
    const { generation } = this.connections;
    const kinds = await Promise.all(batch.map((command) => kindFor(command, this.kinds)));
    const keys = new Set<string>();
    const sent = batch.flatMap((command, index) => {
      const kind = kinds[index];
      const key = this.statement.key(command);
      if (kind === undefined || keys.has(key)) return [];
      keys.add(key);
      return [{ command, kind, index }];
    });
    // Rows are locked in this order, mostly: two processes seldom wait for each other.
    sent.sort((a, b) => rowOf(a.command) - rowOf(b.command));
    const results = batch.map((): Outcome => 'conflict');
    if (sent.length === 0) return results;
    const { name } = this.statement;
    const written = kindsOf(sent.map(({ command }) => command));
    const query = { name, text: this.#text, values: this.#values(sent), generation, kinds: written };
    const done = await this.connections.write<{ n: number }>(query).catch((error: unknown) => {
      if (!this.statement.hasRaces || !isViolation(error)) throw error;
      throw new StoreBusy('another transaction has just written the same', false, { cause: error });
    });
    for (const { n } of done) results[sent[n - 1].index] = 'done';
    const rest = sent.filter(({ index }) => results[index] !== 'done');
    if (this.#openText === undefined || rest.length === 0) return results;
    for (const { index } of await stillOpen(this.connections, rest, {
      text: this.#openText,
      values: this.#values(rest),
    }))
      results[index] = 'busy';
    return results;
  }

  #values(sent: readonly { command: C; kind: number }[]): unknown[] {
    return inputArrays(this.statement.columns, sent);
  }
}

/** Returns the id of a command's kind, which is recorded where the command stores a resource. */
export function kindFor(
  command: Batched,
  kinds: PostgresKinds,
): number | undefined | Promise<number | undefined> {
  return command.action === 'create' || command.action === 'update'
    ? kinds.record(command.kind, command.version)
    : kinds.find(command.kind);
}

/**
 * Returns those of the rest of a batch that would apply, but for rows that another transaction has locked; `query` selects
 * their `n`. The others of the batch are committed, which an error would deny: where it fails, all of the rest may be open.
 */
export async function stillOpen<Sent>(
  connections: Pick<PostgresConnections, 'read'>,
  rest: readonly Sent[],
  query: PostgresQuery,
): Promise<readonly Sent[]> {
  try {
    const open = await connections.read<{ n: number }>(query);
    return open.map(({ n }) => rest[n - 1]);
  } catch {
    return rest;
  }
}

/** Returns the input of a statement in SQL: its arrays, their names and their number. The first array has the kinds. */
export function inputColumns<C>(columns: readonly Column<C>[]): {
  arrays: string;
  names: string;
  count: number;
} {
  const types = ['integer', ...columns.map(({ type }) => type)];
  return {
    arrays: types.map((type, index) => `$${index + 1}::${type}[]`).join(', '),
    names: ['kind', ...columns.map(({ name }) => name)].join(', '),
    count: types.length,
  };
}

/** Returns the values of these arrays. */
export function inputArrays<C>(
  columns: readonly Column<C>[],
  sent: readonly { command: C; kind: number }[],
): unknown[] {
  return [
    sent.map(({ kind }) => kind),
    ...columns.map(({ of }) => sent.map(({ command, kind }) => of(command, kind))),
  ];
}

/** Returns the id of the resource that a command writes; 0 for a new one. */
export function rowOf(command: Command): number {
  return command.action === 'update' || command.action === 'delete' ? command.id : 0;
}
