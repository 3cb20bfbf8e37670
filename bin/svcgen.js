#!/usr/bin/env node
'use strict';
// generate runs for a second: the optimizing compiler of Node 20 takes more time than it saves, except where code is hot.
if (process.argv[2] === 'generate' && process.version.startsWith('v20.')) {
  require('node:v8').setFlagsFromString('--interrupt-budget=1000000');
}
require('node:module').enableCompileCache?.();
const { run } = require('../dist/src/cli/run.js');

let failed = false;
process.stdout.on('error', ({ code, message }) => {
  // A reader such as head(1) has what it wants.
  if (code === 'EPIPE') return;
  if (!failed) process.stderr.write(`svcgen: cannot write to stdout: ${message}\n`);
  failed = true;
  process.exitCode = 2;
});
// Nobody can be told.
process.stderr.on('error', () => {});
run(process.argv.slice(2), process).then((code) => {
  process.exitCode = failed ? 2 : code;
});
