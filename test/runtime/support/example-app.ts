import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Express } from 'express';
import type { Project } from '../../../src/model/project';
import { plannedProject } from '../../../src/plan/planned-project';
import { render } from '../../../src/render/render';
import type { ServiceDefinition } from '../../../templates/runtime/service/definition';
import type { Service } from '../../../templates/runtime/service/service';
import { PATIENCE } from '../../support/patience';

const FOLDER = join(__dirname, '../../../.tmp');
const IMPORTS =
  "import { bearerToken } from './middleware/bearer-token';\nimport { tenant } from './middleware/tenant';\n";

/** Signs the tokens. */
export const SECRET = 'a secret of thirty-two bytes, 32';

/** A rendered project that is served with the specification's examples of authentication in force. */
export interface ExampleApp {
  port: number;
  /** A module of the project, by its path below src. */
  load: <T>(path: string) => T;
  close(): Promise<void>;
}

/**
 * Renders a project into a folder below .tmp, attaches the middlewares by the line that app.ts shows and the policies that
 * the files of the kinds show, and serves it.
 */
export async function startExampleApp(
  name: string,
  project: Project,
  environment: { [setting: string]: string } = {},
): Promise<ExampleApp> {
  const folder = join(FOLDER, name);
  process.env['JWT_SECRET'] = SECRET;
  rmSync(folder, { recursive: true, force: true });
  for (const { path, text } of render(plannedProject(project))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), attached(path, text));
  }
  const load = <T>(path: string): T => require(join(folder, 'src', path)) as T;
  const { openService } = load<typeof import('../../../templates/runtime/open-service')>(
    'generated/runtime/open-service',
  );
  const { readSettings } = load<typeof import('../../../templates/runtime/settings/settings')>(
    'generated/runtime/settings/settings',
  );
  const { createTypedServer } = load<typeof import('../../../templates/runtime/http/server')>(
    'generated/runtime/http/server',
  );
  const { service: definition } = load<{ service: ServiceDefinition }>('generated/service');
  const { createApp } = load<{ createApp: (service: Service) => Express }>('app');
  const settings = readSettings({
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent',
    ...PATIENCE,
    EVENTS_POLL_MS: '5',
    ...environment,
  });
  const service = await openService(definition, settings);
  const server = createTypedServer(createApp(service), settings).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    load,
    async close() {
      delete process.env['JWT_SECRET'];
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

/** A file with what it shows in comments put in force. */
function attached(path: string, text: string): string {
  if (path === 'src/app.ts') return IMPORTS + text.replace('// app.use(', 'app.use(');
  if (!path.startsWith('src/kinds/')) return text;
  const [, example] = text.split('such as:\n//\n');
  return example.replace(/^\/\/ ?/gm, '');
}
