import { describeSchema, type StoredVersions } from '../stored-versions';
import { MIGRATIONS, schemaVersion } from './schema/migrations';
import { checkPrivileges, requireOwner } from './schema/privileges';
import type { PostgresTimeouts } from './servers/hosts';
import { withClient } from './servers/line';
import { checkServer } from './servers/server';
import { PostgresServers } from './servers/servers';
import { PostgresVersions } from './statements/versions';

/** Describes a PostgreSQL database without changing it; see `inspect` of Database. Throws StoreRefused and StoreUnavailable. */
export async function inspectPostgres(
  url: string,
  timeouts: PostgresTimeouts,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  const servers = new PostgresServers(url, timeouts, { isInspection: true });
  return withClient(servers.inspect({ check: checkServer }), async ({ client }) => {
    const { server, schema } = await checkServer(client);
    await checkPrivileges(client);
    const version = (await schemaVersion(client)) ?? 0;
    if (version < MIGRATIONS.length) await requireOwner(client);
    if (version > 0) await check(PostgresVersions.on(client));
    return `PostgreSQL ${server}, schema ${schema}, ${describeSchema(version, MIGRATIONS.length)}`;
  });
}
