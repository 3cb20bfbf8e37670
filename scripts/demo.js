'use strict';
// The README's first command: generates the Device service into demo/ and serves it on port 8080.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { cpSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const folder = join(root, 'demo', 'device-service');

/** Runs a step to its end. One that fails or is stopped ends the demo. */
async function step(what, command, args, cwd) {
  process.stderr.write(`\n> ${what}\n`);
  const child = spawn(command, args, { cwd, stdio: 'inherit' });
  const stop = (signal) => child.kill(signal);
  process.on('SIGTERM', stop);
  // A terminal sends it to all processes.
  process.on('SIGINT', () => {});
  const [status, signal] = await once(child, 'exit');
  process.off('SIGTERM', stop);
  if (signal !== null) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

async function main() {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'examples', 'device-service', 'project.yaml'), join(folder, 'project.yaml'));
  const svcgen = join(root, 'bin', 'svcgen.js');
  await step('svcgen generate', process.execPath, [svcgen, 'generate', '--project', folder], root);
  await step('npm install', 'npm', ['install', '--no-audit', '--no-fund'], folder);
  await step('npm start: http://localhost:8080', 'npm', ['start'], folder);
}

void main();
