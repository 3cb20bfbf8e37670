import type { Command } from './command';
import type { PostgresConnections } from './postgres-connections';
import type { PostgresKinds } from './postgres-kinds';
import type { WriteResult } from './store';

/** The commands with this action. */
export type Of<Action> = Extract<Command, { action: Action }>;

/** The commands that are applied in batches, those of one action together. */
export type Batched = Of<'create' | 'update' | 'delete' | 'deleteSnapshot'>;

/** A column of the input of a statement: its name and type there, and what it is of a command. */
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
  /** The parts after `input`; `done` has `n`, the number of each command that applied. */
  parts: { [name: string]: string };
  /** Commands with the same key are the same condition: only the first of them can apply. */
  key(command: C): string;
}

/** Applies a batch of commands of one kind, all in one transaction. Throws StoreBusy and StoreUnavailable. */
export class PostgresWriter<C extends Batched> {
  readonly #text: string;

  constructor(
    private readonly statement: BatchStatement<C>,
    private readonly connections: PostgresConnections,
    private readonly kinds: PostgresKinds,
  ) {
    const columns = [column<C>('kind', 'integer', (_, kind) => kind), ...statement.columns];
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    const names = columns.map(({ name }) => name).join(', ');
    const parts = Object.entries(statement.parts).map(([name, sql]) => `${name} AS (${sql})`);
    this.#text = `WITH input AS (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS t (${names}, n)),
      ${parts.join(',\n')} SELECT n FROM done`;
  }

  async apply(batch: readonly C[]): Promise<WriteResult[]> {
    const kinds = await Promise.all(batch.map((command) => this.#kind(command)));
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
    const results = batch.map((): WriteResult => 'conflict');
    if (sent.length === 0) return results;
    const rows = await this.connections.write<{ n: number }>({
      name: this.statement.name,
      text: this.#text,
      values: [
        sent.map(({ kind }) => kind),
        ...this.statement.columns.map(({ of }) => sent.map(({ command, kind }) => of(command, kind))),
      ],
    });
    for (const { n } of rows) results[sent[n - 1].index] = 'done';
    return results;
  }

  #kind(command: C): number | undefined | Promise<number | undefined> {
    return command.action === 'create' || command.action === 'update'
      ? this.kinds.record(command.kind, command.version)
      : this.kinds.find(command.kind);
  }
}

function rowOf(command: Command): number {
  return command.action === 'update' || command.action === 'delete' ? command.id : 0;
}
