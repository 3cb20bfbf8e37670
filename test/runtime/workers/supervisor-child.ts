import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';

/** Two workers of a service that does nothing; while there is the file NO_START, none can be started. */
if (cluster.isPrimary) void supervise();
else if (existsSync(process.env['NO_START']!)) process.exit(3);
else createServer().listen(0, '127.0.0.1');

async function supervise(): Promise<void> {
  const { createLogger } = await import('../../../templates/runtime/service/logger');
  const { readSettings } = await import('../../../templates/runtime/settings/settings');
  const { Supervisor } = await import('../../../templates/runtime/workers/supervisor');
  const settings = readSettings(process.env);
  new Supervisor(settings, createLogger('nothing', settings)).start();
}
