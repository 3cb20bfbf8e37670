import fc from 'fast-check';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import * as prettier from 'prettier/standalone';
import { Code, jsonFile, literal, type Printable } from '../../src/code/literal';
import type { Json } from '../../src/model/project';

const style = { singleQuote: true, printWidth: 110, trailingComma: 'all' } as const;

function format(text: string): Promise<string> {
  return prettier.format(text, { ...style, parser: 'typescript', plugins: [estree, typescript] });
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
      expect(await format(text)).toBe(text);
      expect(new Function(`return ${literal(given)}`)()).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

test('a JSON file means the value, has a line for each member, and shows every character', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, (given) => {
      const text = jsonFile({ given });
      expect(JSON.parse(text)).toEqual({ given: JSON.parse(JSON.stringify(given)) });
    }),
    { numRuns: 300 },
  );
  expect(jsonFile({ a: { b: 1 }, turned: 'x\u202ey' })).toBe(
    '{\n  "a": {\n    "b": 1\n  },\n  "turned": "x\\u202ey"\n}\n',
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
