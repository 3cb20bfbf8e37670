import type { KeyedResponse, KeyedResponses } from '../../keyed-response';
import type { PostgresConnections } from './connections';

const FIND = 'SELECT key, request, expires_at AS "expiresAt", headers, text FROM responses WHERE key = $1';

const EXPIRED = 'SELECT key FROM responses WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2';

const REMOVE = 'DELETE FROM responses WHERE key = ANY ($1::text[]) AND expires_at <= $2';

/** The responses to creates with an Idempotency-Key in a PostgreSQL database. */
export class PostgresResponses implements KeyedResponses {
  constructor(
    private readonly reads: PostgresConnections,
    private readonly writes: PostgresConnections,
    private readonly patiently: (write: () => Promise<unknown>) => Promise<unknown>,
  ) {}

  async find(key: string): Promise<KeyedResponse | undefined> {
    const query = { name: 'response', text: FIND, values: [key] };
    const [found] = await this.reads.read<KeyedResponse & { [column: string]: unknown }>(query);
    return found;
  }

  async expired(now: number, limit: number): Promise<string[]> {
    const query = { name: 'expired-responses', text: EXPIRED, values: [now, limit] };
    return (await this.reads.read<{ key: string }>(query)).map(({ key }) => key);
  }

  async remove(keys: readonly string[], now: number): Promise<void> {
    const query = { name: 'remove-responses', text: REMOVE, values: [keys, now] };
    await this.patiently(() => this.writes.write(query));
  }
}
