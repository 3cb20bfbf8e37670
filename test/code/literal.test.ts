import fc from 'fast-check';
import * as prettier from 'prettier/standalone';
import * as babel from 'prettier/plugins/babel';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { Code, jsonFile, literal, type Printable } from '../../src/code/literal';

const style = { singleQuote: true, printWidth: 110, trailingComma: 'all' } as const;

function format(text: string, parser: 'typescript' | 'json'): Promise<string> {
  return prettier.format(text, { ...style, parser, plugins: [babel, estree, typescript] });
}

function statement(value: Printable): string {
  const start = 'const value = ';
  return `${start}${literal(value, { column: start.length, tail: 1 })};\n`;
}

const word = fc.oneof(
  fc.constantFrom('a', 'name', 'my-field', "it's", 'say "so"', 'toString'),
  fc.string({ unit: 'binary-ascii' }),
);
const value = fc.letrec<{ any: Printable }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      word,
      fc.string({ unit: fc.constantFrom('long', 'er ', "'"), minLength: 20 }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    ),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.array(fc.integer({ min: 0 }), { maxLength: 40 }),
    fc.dictionary(
      word.filter((key) => !/^\d/.test(key)),
      tie('any'),
      { maxKeys: 5 },
    ),
  ),
})).any;

test('a literal is formatted as Prettier formats it, and means the value', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      const text = statement({ given });
      expect(await format(text, 'typescript')).toBe(text);
      expect(new Function(`return ${literal(given)}`)()).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

test('a JSON file is formatted as Prettier formats it, and means the value', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      const text = jsonFile({ given });
      expect(await format(text, 'json')).toBe(text);
      expect(JSON.parse(text)).toEqual({ given });
    }),
    { numRuns: 300 },
  );
});

test.each<[string, Printable, string]>([
  ['code', { name: new Code("'x'.repeat(201)") }, "{ name: 'x'.repeat(201) }"],
  ['absent members', { name: undefined, size: 1 }, '{ size: 1 }'],
  ['the key __proto__', JSON.parse('{"__proto__":1}') as Printable, "{ ['__proto__']: 1 }"],
  ['line separators', 'a\u2028b', String.raw`'a\u2028b'`],
  ['text that turns direction', 'a\u202eb', String.raw`'a\u202eb'`],
  ['a lone surrogate', '\ud800', String.raw`'\ud800'`],
])('%s', (_, given, want) => {
  expect(literal(given)).toBe(want);
});
