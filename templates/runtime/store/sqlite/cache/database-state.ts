import { randomBytes } from 'node:crypto';
import { type Command, uidsOf, writesOf } from '../../command';
import type { Applied } from '../writes/batch-writer';

/**
 * Follows the state of a database, so that what was read from it can be used again: it may be, as long as the database
 * is current and its epoch is the same. The commits of this process belong to an epoch; each of another begins one.
 */
export class DatabaseState {
  /** Grows with every commit that this process did not make or cannot tell from those of others. */
  epoch = 0;
  #known: string | undefined;
  #isCommitting = false;
  /** Set when a commit of this process did not change the state: then those of others may go unseen, too. */
  #isBlind = false;

  /**
   * `state` returns the state of the database, which changes with every commit, or undefined where it is unknown. Where
   * `Applied` has no states, it changes only with the commits of others.
   */
  constructor(private readonly state: () => string | undefined) {}

  /**
   * Returns whether the present state is known; a commit of another begins a new epoch. While a commit of this process
   * is running, a new state may be that of the commit: the epoch stays until that is known.
   */
  isCurrent(): boolean {
    if (this.#isBlind) return false;
    const state = this.state();
    if (state !== this.#known && !this.#isCommitting) this.#enter(state);
    return state !== undefined && state === this.#known;
  }

  /** Call it before this process commits. */
  begin(): void {
    this.#isCommitting = true;
  }

  /** Call it when the commit is done or has failed, before anything is read again. */
  end(commands: readonly Command[], applied: Applied | undefined): void {
    this.#isCommitting = false;
    if (applied?.states === undefined) return;
    const { before, after } = applied.states;
    const hasWritten = commands.some(
      (command, index) => uidsOf(command).length > 0 && applied.results[index] === 'done',
    );
    if (hasWritten && before !== undefined && before === after) this.#isBlind = true;
    if (this.#known !== before) this.epoch += 1;
    this.#known = after;
  }

  #enter(state: string | undefined): void {
    this.epoch += 1;
    this.#known = state;
  }
}

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
