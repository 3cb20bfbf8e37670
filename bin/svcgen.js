#!/usr/bin/env node
'use strict';
// generate runs for a second: the optimizing compiler of Node 20 takes more time than it saves, except where code is hot.
if (process.argv[2] === 'generate' && process.version.startsWith('v20.')) {
  require('node:v8').setFlagsFromString('--interrupt-budget=1000000');
}
require('node:module').enableCompileCache?.();
const { run } = require('../dist/cli.js');

process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
run(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
