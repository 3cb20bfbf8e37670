import { Client } from 'pg';
import { clientConfig, PostgresConnections, type PostgresTimeouts } from './postgres-connections';
import { storeError } from './postgres-errors';
import { PostgresKinds } from './postgres-kinds';
import { checkServer, MIGRATIONS, schemaVersion } from './postgres-migrations';
import { PostgresVersions } from './postgres-versions';
import { describeSchema, type StoredVersions } from './stored-versions';

/** Looks at a PostgreSQL database and leaves it as it is; see `inspectStore`. Throws StoreRefused and StoreUnavailable. */
export async function inspectPostgres(
  url: string,
  timeouts: PostgresTimeouts,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  const config = clientConfig(url, timeouts);
  const client = new Client(config);
  client.on('error', () => undefined);
  const connections = new PostgresConnections(config, 1);
  try {
    await client.connect();
    const { server, schema } = await checkServer(client);
    const version = (await schemaVersion(client)) ?? 0;
    if (version === MIGRATIONS.length) {
      await check(new PostgresVersions(connections, connections, new PostgresKinds(connections), 0));
    }
    return `PostgreSQL ${server}, schema ${schema}, ${describeSchema(version, MIGRATIONS.length)}`;
  } catch (error) {
    throw storeError(error);
  } finally {
    await connections.close();
    await client.end().catch(() => undefined);
  }
}
