import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passagesOf } from '../../scripts/language/passages';

let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'svcgen-language-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function passages(file: string, text: string): [line: number, kind: string, text: string][] {
  writeFileSync(join(folder, file), text);
  return passagesOf(folder, file).map(({ line, kind, text }) => [line, kind, text.trim()]);
}

test('a program has comments and identifiers', () => {
  const text = `// Why \`code\` is.
/**
 * Returns a sum
 * of two.
 */
export const HTTPAnswer = '// none'; /* behind */
`;
  expect(passages('keptFields.ts', text)).toEqual([
    [1, 'path', 'kept fields ts'],
    [1, 'comment', 'Why `` is.'],
    [2, 'doc comment', 'Returns a sum\nof two.'],
    [6, 'comment', 'behind'],
    [6, 'identifier', 'http answer'],
  ]);
});

test('a template has comments', () => {
  const text = "{{#if x}}\n  /** The {{name}}. */\n{{/if}}\nconst url = 'http://x';\n  // Why.\n";
  expect(passages('a.ts.hbs', text)).toEqual([
    [1, 'path', 'a ts hbs'],
    [2, 'doc comment', 'The {{name}}.'],
    [5, 'comment', 'Why.'],
  ]);
});

test('a page has lines outside its code', () => {
  const text = 'Read [this](answer.md), `x`.\n```sh\nanswer\n```\n\nEnd.\n';
  expect(passages('page.md', text)).toEqual([
    [1, 'path', 'page md'],
    [1, 'page', 'Read [this], ``.'],
    [6, 'page', 'End.'],
  ]);
});
