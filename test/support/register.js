// Compiles TypeScript in the processes and threads that tests start (`node --require test/support/register.js`).
const { readFileSync } = require('node:fs');
const { compiled } = require('./compile');

require.extensions['.ts'] = (module, path) =>
  module._compile(compiled(readFileSync(path, 'utf8'), path), path);
