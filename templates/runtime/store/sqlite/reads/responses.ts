import type { KeyedResponse, KeyedResponses } from '../../keyed-response';
import type { Statement } from '../connection/driver';
import type { OpenedStore } from '../parts/sqlite-parts';

const REMOVE = 'DELETE FROM responses WHERE key IN (SELECT value FROM json_each(?)) AND expires_at <= ?';

/** The responses to creates with an Idempotency-Key in a SQLite database. */
export class SqliteResponses implements KeyedResponses {
  readonly #find: Statement<KeyedResponse>;
  readonly #expired: Statement<{ key: string }>;

  constructor(private readonly store: OpenedStore) {
    const { connection } = store.reading;
    this.#find = connection.prepare(
      'SELECT key, request, expires_at AS expiresAt, headers, text FROM responses WHERE key = ?',
    );
    this.#expired = connection.prepare(
      'SELECT key FROM responses WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    );
  }

  find(key: string): KeyedResponse | undefined {
    return this.store.reading.run(() => this.#find.get(key));
  }

  expired(now: number, limit: number): string[] {
    return this.store.reading.run(() => this.#expired.all(now, limit)).map(({ key }) => key);
  }

  async remove(keys: readonly string[], now: number): Promise<void> {
    await this.store.run({ sql: REMOVE, parameters: [JSON.stringify(keys), now] });
  }
}
