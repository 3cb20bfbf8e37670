// Compiles TypeScript for tests and for the processes and threads that they start. The result is kept in .tmp/compiled by the
// digest of the source, so that a process starts in half the time that tsx takes.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const FOLDER = join(__dirname, '../../.tmp/compiled');
const { version } = require('@swc/core/package.json');
const OPTIONS = {
  configFile: false,
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** Returns the JavaScript of a TypeScript source; `path` is what errors name. */
exports.compiled = function compiled(source, path) {
  const settings = JSON.stringify([version, OPTIONS, path]);
  const digest = createHash('sha256').update(`${settings}\0${source}`).digest('hex');
  const file = join(FOLDER, `${digest}.js`);
  return read(file) ?? compile(source, path, file);
};

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function compile(source, path, file) {
  const { code } = require('@swc/core').transformSync(source, { ...OPTIONS, filename: path });
  mkdirSync(FOLDER, { recursive: true });
  // Others read whole files only.
  const unfinished = `${file}.${process.pid}.${threadId}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  return code;
}
