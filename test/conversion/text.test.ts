import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import * as prettier from 'prettier/standalone';
import * as ts from 'typescript';
import { EACH_RULE } from './each-rule';
import { pair, spokes } from './harness';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.tmp', 'converters');
const texts = Object.entries(EACH_RULE).map(([name, { user, ...given }]): [string, string] => {
  const [{ text }] = [...spokes(pair(given), user).values()];
  return [name, text];
});

test.each(texts)('%s: the text is as Prettier would have it', async (_, text) => {
  const options = { singleQuote: true, printWidth: 110, trailingComma: 'all' as const };
  const formatted = await prettier.format(text, {
    parser: 'typescript',
    plugins: [typescript, estree],
    ...options,
  });
  expect(text).toBe(formatted);
});

test('the texts compile as strictly as a generated project, and with nothing unused', () => {
  rmSync(FOLDER, { recursive: true, force: true });
  const folder = join(FOLDER, 'src/generated/group/kind');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(FOLDER, 'src/kind.ts'),
    `export function positionToHub(spoke: { position?: string }, stored?: { lat?: number; lon?: number }): { lat?: number; lon?: number } {
       return spoke.position === undefined ? {} : { ...stored, lat: Number(spoke.position) };
     }
     export function positionFromHub({ lat }: { lat?: number }): { position?: string } {
       return { position: String(lat) };
     }`,
  );
  const files = texts.map(([, text], i) => {
    const file = join(folder, `convert${i}.ts`);
    const from = text
      .replaceAll("'../../runtime/", "'../../../../../../templates/runtime/")
      .replaceAll("'../../../kind'", "'../../../kind'");
    writeFileSync(file, from);
    return file;
  });
  const { options } = ts.parseJsonConfigFileContent(
    JSON.parse(readFileSync(join(ROOT, 'templates/project/tsconfig.json'), 'utf8')),
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(files, {
    ...options,
    noUnusedLocals: true,
    noUnusedParameters: true,
    rootDir: ROOT,
    types: ['node'],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
    const [source] = file?.text.split('\n').slice(line, line + 1) ?? [];
    return `${file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, '\n')}: ${source}`;
  });
  expect(problems).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(texts.length);
});
