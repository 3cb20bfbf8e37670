#!/usr/bin/env node
'use strict';
const { run } = require('../dist/cli.js');

run(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
