// Compiles TypeScript for tests and for the processes and threads that they start. The result is kept in .tmp/compiled by the
// digest of the source, so that a process starts in half the time that tsx takes.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.tmp/compiled');
const SETTINGS = readFileSync(join(ROOT, 'tsconfig.json'), 'utf8');
const { version } = require('typescript/package.json');

/** Returns the JavaScript of a TypeScript source; `path` is what errors name. */
exports.compiled = function compiled(source, path) {
  const digest = createHash('sha256').update(`${version}\0${SETTINGS}\0${path}\0${source}`).digest('hex');
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
  const typescript = require('typescript');
  const { config } = typescript.parseConfigFileTextToJson('tsconfig.json', SETTINGS);
  const { options } = typescript.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const { outputText } = typescript.transpileModule(source, {
    fileName: path,
    compilerOptions: { ...options, noEmit: false, inlineSourceMap: true },
  });
  mkdirSync(FOLDER, { recursive: true });
  // Others read whole files only.
  const unfinished = `${file}.${process.pid}.${threadId}`;
  writeFileSync(unfinished, outputText);
  renameSync(unfinished, file);
  return outputText;
}
