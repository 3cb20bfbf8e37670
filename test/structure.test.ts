import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { components } from '../src/model/graph';

// Folders import in one direction, files in none that leads back, and no file stands next to a folder of its name.

const ROOT = join(__dirname, '..');
const ROOTS = ['src', 'templates/client', 'templates/ctl', 'templates/runtime', 'console/src'];

/** Returns the modules that a file imports in any way, types included, as they are written. */
function importsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isModule =
      (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) &&
      node.parent.moduleSpecifier === node;
    const isType = ts.isLiteralTypeNode(node.parent) && ts.isImportTypeNode(node.parent.parent);
    const isCall =
      ts.isCallExpression(node.parent) && /^(import|require)$/.test(node.parent.expression.getText());
    if (ts.isStringLiteral(node) && (isModule || isType || isCall)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** Returns the files of a folder, each with those that it imports from the folder. */
function graphOf(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
  return new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .flatMap((module) =>
          ['.ts', '.tsx', '/index.ts'].map((end) => `${resolve(dirname(file), module)}${end}`),
        )
        .filter((target) => files.includes(target)),
    ]),
  );
}

test('no file of a service finds another with require, which knows no TypeScript in vitest', () => {
  const folder = join(ROOT, 'templates');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const finding = files.filter((file) =>
    /require(\.resolve)?\('\./.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(finding).toEqual([]);
});

describe.each(ROOTS)('%s', (root) => {
  const folder = join(ROOT, root);
  const graph = graphOf(folder);
  const shown = (path: string): string => relative(folder, path);
  const cyclesIn = (of: Map<string, string[]>): string[][] =>
    components(of)
      .filter(({ length }) => length > 1)
      .map((cycle) => cycle.map(shown).sort());

  test('no file imports itself through others', () => {
    expect(cyclesIn(graph)).toEqual([]);
  });

  test('folders import in one direction', () => {
    const folders = new Map<string, string[]>();
    for (const [file, targets] of graph) {
      const others = targets.map(dirname).filter((target) => target !== dirname(file));
      folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), ...others]);
    }
    expect(cyclesIn(folders)).toEqual([]);
  });

  test('no file stands next to a folder of its name', () => {
    const twins = [...graph.keys()].filter((file) => existsSync(file.replace(/\.tsx?$/, '')));
    expect(twins.map(shown)).toEqual([]);
  });
});

test('no folder with an index.ts has the name of a file of an earlier release', () => {
  // The build leaves old files in dist, and Node loads dist/generated/runtime/history.js rather than history/index.js.
  expect(existsSync(join(ROOT, 'templates/runtime/history/index.ts'))).toBe(false);
});

test('the top of the runtime has at most six files', () => {
  const entries = readdirSync(join(ROOT, 'templates/runtime'), { withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(6);
});
