import { type Command, kindsOf, type Of } from '../../command';
import { StoreBusy } from '../../retry-busy';
import type { MaybePromise, SingleWrite, WriteResult } from '../../store';
import { IS_BEGUN } from '../servers/durable';
import { isViolation } from '../servers/errors';
import type { PostgresConnections } from './connections';
import type { PostgresKinds } from './kinds';
import type { Outcome } from './queue';

/** The commands that are applied in batches, those of one action together. */
export type Batched = Of<'create' | 'update' | 'delete'>;

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

/** A command that is sent, with the id of its kind and its place in the batch. */
export interface Sent<C> {
  command: C;
  kind: number;
  place: number;
}

/** Applies a batch of commands of one kind, all in one transaction. Throws StoreBusy and StoreUnavailable. */
export class PostgresWriter<C extends Batched> {
  readonly #text: string;

  constructor(
    private readonly statement: BatchStatement<C>,
    private readonly connections: PostgresConnections,
    private readonly kinds: PostgresKinds,
  ) {
    const parts = Object.entries(statement.parts).map(([name, sql]) => `${name} AS (${sql})`);
    const input = `${inputRows(statement)} WHERE ${IS_BEGUN}`;
    this.#text = `WITH input AS (${input}), ${parts.join(',\n')} SELECT n FROM done`;
  }

  async apply(batch: readonly C[]): Promise<Outcome[]> {
    const { generation } = this.connections;
    const { name, columns, hasRaces } = this.statement;
    const sent = await sentOf(this.statement, batch, (command) => kindFor(command, this.kinds));
    const results = batch.map((): Outcome => 'conflict');
    if (sent.length === 0) return results;
    const kinds = kindsOf(sent.map(({ command }) => command));
    const query = { name, text: this.#text, values: inputArrays(columns, sent), generation, kinds };
    const done = await this.connections.write<{ n: number }>(query).catch((error: unknown) => {
      if (!hasRaces || !isViolation(error)) throw error;
      throw new StoreBusy('another transaction has just written the same', false, { cause: error });
    });
    for (const { n } of done) results[sent[n - 1].place] = 'done';
    const rest = sent.filter(({ place }) => results[place] !== 'done');
    for (const { place } of await stillOpen(this.connections, this.statement, rest)) results[place] = 'busy';
    return results;
  }
}

/** Returns the commands of a batch that can apply: the first with each key, in the order in which they lock rows. */
export async function sentOf<C extends Batched>(
  statement: BatchStatement<C>,
  batch: readonly C[],
  kindOf: (command: C) => MaybePromise<number | undefined>,
): Promise<Sent<C>[]> {
  const keys = new Set<string>();
  const sent = batch.map(async (command, place): Promise<Sent<C>[]> => {
    const key = statement.key(command);
    if (keys.has(key)) return [];
    keys.add(key);
    const kind = await kindOf(command);
    return kind === undefined ? [] : [{ command, kind, place }];
  });
  // In the same order mostly: two processes seldom wait for each other.
  return (await Promise.all(sent)).flat().sort((a, b) => rowOf(a.command) - rowOf(b.command));
}

/** Returns the id of a command's kind, which is recorded where the command stores a resource. */
export function kindFor(command: Batched, kinds: PostgresKinds): MaybePromise<number | undefined> {
  return command.action === 'create' || command.action === 'update'
    ? kinds.record(command.kind, command.version)
    : kinds.find(command.kind);
}

/**
 * Returns those of the rest of a batch that would apply, but for rows that another transaction has locked. The others of
 * the batch are committed, which an error would deny: where it fails, all of the rest may be open.
 */
export async function stillOpen<C, S extends Sent<C>>(
  connections: Pick<PostgresConnections, 'read'>,
  statement: BatchStatement<C>,
  rest: readonly S[],
): Promise<readonly S[]> {
  if (statement.open === undefined || rest.length === 0) return [];
  const text = `WITH input AS (${inputRows(statement)}) ${statement.open}`;
  try {
    const open = await connections.read<{ n: number }>({
      text,
      values: inputArrays(statement.columns, rest),
    });
    return open.map(({ n }) => rest[n - 1]);
  } catch {
    return rest;
  }
}

/** Returns the query of a statement's input, whose rows it numbers. */
function inputRows<C>({ columns }: BatchStatement<C>): string {
  const { arrays, names } = inputColumns(columns);
  return `SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS t (${names}, n)`;
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
function rowOf(command: Command): number {
  return command.action === 'update' || command.action === 'delete' ? command.id : 0;
}

const TAKEN = 'SELECT FROM resources WHERE uid = $1';

const CURRENT = 'SELECT FROM resources WHERE id = $1 AND revision = $2 AND uid = $3 AND kind = $4';

/**
 * Returns the result that a write of a resource without entries would have now. It only reads, in a transaction that is
 * refused where that of the write would be, and records no kind.
 */
export async function judgeWrite(
  connections: Pick<PostgresConnections, 'writeAll'>,
  kinds: Pick<PostgresKinds, 'find'>,
  write: SingleWrite,
): Promise<WriteResult> {
  const written = kindsOf([write]);
  if (write.action === 'create') {
    const query = { name: 'taken', text: TAKEN, values: [write.uid], kinds: written };
    const [taken] = await connections.writeAll([query], 'ROLLBACK');
    return taken.length > 0 ? 'conflict' : 'done';
  }
  const kind = await kinds.find(write.kind);
  if (kind === undefined) return 'conflict';
  const { id, revision, uid } = write;
  const values = [id, revision, uid, kind];
  const query = { name: 'current', text: CURRENT, values, kinds: written };
  const [current] = await connections.writeAll([query], 'ROLLBACK');
  return current.length > 0 ? 'done' : 'conflict';
}
