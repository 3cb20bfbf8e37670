import { randomBytes } from 'node:crypto';
import { type Command, writesOf } from '../../command';
import type { DatabaseState } from './database-state';

/**
 * The states of the lists of a database: a token for each kind, which changes with every commit that may change a
 * resource of the kind. It costs the file nothing: commits of this process are counted by kind, and a commit of another
 * process changes the tokens of all.
 */
export class ListStates {
  /** Tokens of another run, or of another process, equal none of these. */
  readonly #run = randomBytes(9).toString('base64url');
  readonly #changes = new Map<string, number>();

  constructor(private readonly database: DatabaseState) {}

  /** Returns the token of a kind; undefined where the state of the database is not known. Take it before the list is read. */
  of(kind: string): string | undefined {
    if (!this.database.isCurrent()) return undefined;
    return `${this.#run}.${this.database.epoch}.${this.#changes.get(kind) ?? 0}`;
  }

  /**
   * Call it before this process commits, and when that is done or has failed: a list that was read meanwhile has the state
   * before it or after it.
   */
  count(commands: readonly Command[]): void {
    for (const { kind } of commands.flatMap(writesOf))
      this.#changes.set(kind, (this.#changes.get(kind) ?? 0) + 1);
  }
}
