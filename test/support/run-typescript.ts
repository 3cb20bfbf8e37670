// Processes load it without a compiler, so it is JavaScript.
const { compiled } = require('./compile') as { compiled: (source: string, path: string) => string };

/** Runs TypeScript as Node would run the compiled file; `load` resolves its imports. Returns its exports. */
export function runTypeScript<Exports>(source: string, load: (id: string) => unknown = require): Exports {
  const exports = {};
  new Function('require', 'exports', compiled(source, 'example.ts'))(load, exports);
  return exports as Exports;
}
