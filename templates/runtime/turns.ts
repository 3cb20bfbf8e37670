import { setImmediate } from 'node:timers/promises';

/** Lets actions with the same key through one at a time, in the order of their arrival; others pass freely. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs an action after those with its key that came before it, however they ended; gives what it gives. */
  async take<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before === undefined ? action() : before.then(action, action);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}

/** What there is to do with so many bytes of JSON may take a tenth of a second. */
export const LARGE = 65_536;

const turns = new Turns();

/** Resolves for one large piece of work in each turn of the event loop, so that others get their answers in between. */
export function turnOfLarge(): Promise<void> {
  return turns.take('', () => setImmediate());
}
