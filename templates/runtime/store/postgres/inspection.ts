import { describeSchema, type StoredVersions } from '../stored-versions';
import { MIGRATIONS, schemaVersion } from './schema/migrations';
import type { PostgresTimeouts } from './servers/hosts';
import { withClient } from './servers/line';
import { checkServer } from './servers/server';
import { PostgresServers } from './servers/servers';
import { PostgresConnections } from './statements/connections';
import { PostgresKinds } from './statements/kinds';
import { PostgresVersions } from './statements/versions';

/** Describes a PostgreSQL database without changing it; see `inspect` of Database. Throws StoreRefused and StoreUnavailable. */
export async function inspectPostgres(
  url: string,
  timeouts: PostgresTimeouts,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  const servers = new PostgresServers(url, timeouts, { isInspection: true });
  const connections = new PostgresConnections(servers, 1);
  const inspected = withClient(servers.inspect({ check: checkServer }), async ({ client }) => {
    const { server, schema } = await checkServer(client);
    const version = (await schemaVersion(client)) ?? 0;
    if (version > 0) await check(new PostgresVersions(connections, new PostgresKinds(connections)));
    return `PostgreSQL ${server}, schema ${schema}, ${describeSchema(version, MIGRATIONS.length)}`;
  });
  return inspected.finally(() => connections.close());
}
