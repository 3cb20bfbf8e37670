#!/usr/bin/env node
'use strict';
require('node:module').enableCompileCache?.();
const { run } = require('../dist/cli.js');

process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
run(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
