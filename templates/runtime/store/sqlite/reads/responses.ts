import type { KeyedResponse, KeyedResponses } from '../../keyed-response';
import type { Connection, Statement } from '../connection/driver';
import { guard } from '../connection/errors';
import type { Sharing } from './reader';

/** The responses to creates with an Idempotency-Key in a SQLite database. */
export class SqliteResponses implements KeyedResponses {
  readonly #find: Statement<KeyedResponse>;
  readonly #expired: Statement<{ key: string }>;

  constructor(
    connection: Connection,
    private readonly sharing: Sharing,
  ) {
    this.#find = connection.prepare(
      'SELECT key, request, expires_at AS expiresAt, headers, text FROM responses WHERE key = ?',
    );
    this.#expired = connection.prepare(
      'SELECT key FROM responses WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    );
  }

  find(key: string): KeyedResponse | undefined {
    this.sharing.check();
    return guard(() => this.#find.get(key));
  }

  expired(now: number, limit: number): string[] {
    this.sharing.check();
    return guard(() => this.#expired.all(now, limit)).map(({ key }) => key);
  }

  async remove(keys: readonly string[], now: number): Promise<void> {
    await this.sharing.submit({ action: 'removeResponses', keys, now });
  }
}
