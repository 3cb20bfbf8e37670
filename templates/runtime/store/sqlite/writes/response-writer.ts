import type { KeyedResponse } from '../../keyed-response';
import type { Connection } from '../connection/driver';

/** The responses to creates with an Idempotency-Key, inside the transaction of a batch. */
export class ResponseWriter {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(connection: Connection) {
    this.#sql = prepare(connection);
  }

  /** Returns whether a key is taken. */
  has({ key }: KeyedResponse): boolean {
    return this.#sql.taken.get(key) !== undefined;
  }

  /** Stores a response whose key is free. */
  add({ key, request, expiresAt, headers, text }: KeyedResponse): void {
    this.#sql.add.run(key, request, expiresAt, headers, text);
  }

  /** Removes those of these responses that have expired. */
  remove(keys: readonly string[], now: number): void {
    this.#sql.remove.run(JSON.stringify(keys), now);
  }
}

function prepare(connection: Connection) {
  return {
    taken: connection.prepare('SELECT 1 AS found FROM responses WHERE key = ?'),
    add: connection.prepare(
      'INSERT INTO responses (key, request, expires_at, headers, text) VALUES (?, ?, ?, ?, ?)',
    ),
    remove: connection.prepare(
      'DELETE FROM responses WHERE key IN (SELECT value FROM json_each(?)) AND expires_at <= ?',
    ),
  };
}
