import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, svcgen, TSC, writeProject } from '../../bench/services';
import { SERVICE, SHIM, SHUTDOWN } from './support/service';

const PROJECT = `name: faults
events: true
groups:
  - name: example.svc.dev
    versions: [v1]
    kinds:
      - name: Device
        specVersioning: true
        versions:
          v1:
            spec: { name: { type: string, rules: [required] }, location: string, data: any }
            status: { message: string }
`;

/** A request takes as many milliseconds longer as its header X-Delay says. */
const APP = `import { setTimeout } from 'node:timers/promises';
import express, { type Express } from 'express';
import { mountRoutes, type Service } from './generated';

export function createApp(service: Service): Express {
  const app = express();
  app.use(async (req, _res, next) => {
    if (req.headers['x-delay'] !== undefined) await setTimeout(Number(req.headers['x-delay']));
    next();
  });
  mountRoutes(app, service);
  return app;
}
`;

/** Generates and compiles the service that is put through the faults, the shim between it and its disk, and what takes the disk away. */
export default function setUp(): void {
  rmSync(SERVICE, { recursive: true, force: true });
  writeProject(SERVICE, PROJECT);
  mkdirSync(join(SERVICE, 'src'));
  writeFileSync(join(SERVICE, 'src/app.ts'), APP);
  svcgen('generate', '--project', SERVICE);
  node(TSC, ['-p', join(SERVICE, 'tsconfig.build.json'), '--noCheck']);
  cpSync(join(SERVICE, 'src/generated/openapi.json'), join(SERVICE, 'dist/generated/openapi.json'));
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', SHIM, join(__dirname, 'support/disk.c'), '-ldl']);
  execFileSync('cc', ['-o', SHUTDOWN, join(__dirname, 'support/shutdown.c')]);
}
