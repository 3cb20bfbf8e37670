'use strict';
// After tsc: what the compiled generator reads beside its code.
const { copyFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
for (const asset of ['project.schema.json'])
  copyFileSync(join(root, 'src', asset), join(root, 'dist', asset));
