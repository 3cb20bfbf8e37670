import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT, type Variant, VARIANTS } from '../../bench/services';

const EDITS = Object.entries<Variant>(VARIANTS).flatMap(([name, { edits = [] }]) =>
  edits.map(({ path, from, to }) => ({ name, path, from, to })),
);

/** Returns a file of the runtime as the build of a service compiles it. */
function compiled(path: string): string {
  const source = readFileSync(join(ROOT, 'templates/runtime', path.replace(/\.js$/, '.ts')), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

test.each(EDITS)('$name: $path has the code that the benchmark replaces, once', ({ path, from, to }) => {
  const text = compiled(path);
  expect(text.split(from)).toHaveLength(2);
  expect(text).not.toContain(to);
});
