'use strict';
// The README's first command: generates the Device service into demo/ and serves it on port 8080.
const { spawnSync } = require('node:child_process');
const { cpSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const folder = join(root, 'demo', 'device-service');

function step(what, command, args, cwd) {
  process.stderr.write(`\n> ${what}\n`);
  const { status, signal } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (signal === null && status !== 0) process.exit(status ?? 1);
}

mkdirSync(folder, { recursive: true });
cpSync(join(root, 'examples', 'device-service', 'project.yaml'), join(folder, 'project.yaml'));
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
step(
  'svcgen generate',
  process.execPath,
  [join(root, 'bin', 'svcgen.js'), 'generate', '--project', folder],
  root,
);
step('npm install', 'npm', ['install', '--no-audit', '--no-fund'], folder);
step('npm start: http://localhost:8080', 'npm', ['start'], folder);
