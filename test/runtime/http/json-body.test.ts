import fc from 'fast-check';
import { decodeUtf8, parseJson } from '../../../templates/runtime/http/request/json-body';
import type { Json } from '../../../templates/runtime/model/schema';
import { outcome } from '../support/outcome';

const MIB = 1024 * 1024;

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('bytes', () => {
  it.each<[string, number[], string | 400]>([
    ['nothing', [], ''],
    ['ASCII', [0x61], 'a'],
    ['two bytes', [0xc3, 0xa9], 'é'],
    ['four bytes', [0xf0, 0x9f, 0x98, 0x80], '😀'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['a byte order mark within', [0x61, 0xef, 0xbb, 0xbf], 'a\ufeff'],
    ['NUL', [0], '\0'],
    ['Latin 1', [0xe9], 400],
    ['cut short', [0x61, 0xf0, 0x9f, 0x98], 400],
    ['overlong', [0xc0, 0xaf], 400],
    ['a surrogate', [0xed, 0xa0, 0x80], 400],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 400],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0], 400],
  ])('%s', (_name, bytes, want) => {
    expect(outcome(() => decodeUtf8(Buffer.from(bytes)))).toBe(want);
  });
});

describe('JSON', () => {
  it.each<[string, Json]>([
    ['{}', {}],
    [' [1, "a", null] ', [1, 'a', null]],
    ['"text"', 'text'],
    ['null', null],
    ['{"a":1,"a":2}', { a: 2 }],
    ['"__proto__"', '__proto__'],
    ['{"a":"__proto__"}', { a: '__proto__' }],
    ['["\\u005f_proto__"]', ['__proto__']],
    ['{"constructor":{"prototype":1}}', { constructor: { prototype: 1 } }],
    ['{"\\\\u005f_proto__":1}', { '\\u005f_proto__': 1 }],
    ['"\\u0000\\ud800"', '\0\ud800'],
    ['[true,false]', [true, false]],
    ['1e308', 1e308],
    ['[-1.7976931348623157E+308]', [-1.7976931348623157e308]],
    ['1e-400', 0],
    [`1${'0'.repeat(308)}`, 1e308],
    ['"1e999"', '1e999'],
    // Digits that the service returns, and all digits of a double.
    ['[9007199254740992, -9007199254740994]', [2 ** 53, -(2 ** 53) - 2]],
    ['{"a":1152921504606847000,"b":1152921504606846976}', { a: 2 ** 60, b: 2 ** 60 }],
    [`[1${'0'.repeat(23)}]`, [1e23]],
    [
      '[0.12345678901234567890, 9007199254740993.5, 1234567890123456789e1]',
      [0.12345678901234568, 9007199254740994, 12345678901234567000],
    ],
    ['{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }],
    // Refused.
    ['', 400],
    ['  ', 400],
    ['{', 400],
    ['{"a":1', 400],
    ['{"a":1,}', 400],
    ['[1,]', 400],
    ["{'a':1}", 400],
    ['{a:1}', 400],
    ['NaN', 400],
    ['undefined', 400],
    ['01', 400],
    ['1 2', 400],
    ['{}{}', 400],
    ['"\n"', 400],
    ['"\\x41"', 400],
    ['"open', 400],
    ['"open\\"', 400],
    ['// c\n{}', 400],
    ['\ufeff{}', 400],
    ['{"__proto__":1}', 400],
    ['[{"a":[{"__proto__":{}}]}]', 400],
    ['{"\\u005f_proto__":1}', 400],
    ['{"\\u005F\\u005fproto__":1}', 400],
    ['{"__pr\\u006fto__":1}', 400],
    ['{"__proto\\u005f_":1}', 400],
    ['{"a":"b","__\\u0070roto__":{}}', 400],
    ['1e400', 400],
    ['{"a":[-1E+309]}', 400],
    [`[1,${'9'.repeat(400)}]`, 400],
    [`${'9'.repeat(400)}.5`, 400],
    ['[9007199254740993]', 400],
    ['{"a" : -9007199254740993 }', 400],
    ['{"a":1,"b":{"c":1234567890123456789}}', 400],
    [`[${'9'.repeat(308)}]`, 400],
  ])('%s', (text, want) => {
    expect(outcome(() => parseJson(text, 64))).toEqual(want);
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"[[":', '}]'],
  ])('nested by %s', (open, close) => {
    const levels = open.startsWith('[{') ? 32 : 64;
    const nested = (count: number): string => open.repeat(count) + '"["' + close.repeat(count);
    expect(outcome(() => parseJson(nested(levels), 64))).not.toBe(400);
    expect(outcome(() => parseJson(nested(levels + 1), 64))).toBe(400);
    expect(outcome(() => parseJson(open.repeat(100_000), 64))).toBe(400);
  });

  it.each([
    ['{"a":9007199254740993}', '#/a', '9007199254740993', '9007199254740992'],
    [
      '{"a":1,"b/c":[2,{"d":-1234567890123456789}]}',
      '#/b~1c/1/d',
      '-1234567890123456789',
      '-1234567890123456800',
    ],
    ['9007199254740993', '#', '9007199254740993', '9007199254740992'],
  ])('names the integer that cannot be stored, and its place: %s', (text, pointer, sent, stored) => {
    const detail = `the integer ${sent} would be stored as ${stored}; send it as a string`;
    expect(thrownBy(() => parseJson(text, 64))).toMatchObject({
      detail: `At ${pointer}, ${detail}.`,
      extras: { errors: [{ pointer, rule: 'type', detail }] },
    });
  });

  it('sees brackets in strings for what they are', () => {
    const text = JSON.stringify(['['.repeat(100), '\\', '"[{', '\\"['.repeat(100), { '{[': '\\\\' }]);
    expect(parseJson(text, 2)).toEqual(JSON.parse(text));
    expect(outcome(() => parseJson('["\\\\",[]]', 1))).toBe(400);
  });

  it('says where, and repeats little of the body', () => {
    const secret = 'x'.repeat(MIB);
    for (const text of [`{"a":"${secret}" 1}`, `[${secret}]`, `{"a":"${secret}`, `{"a":"b",${secret}}`]) {
      expect(() => parseJson(text, 64)).toThrow(/^The body is not valid JSON: .{1,100}\.$/);
    }
    expect(() => parseJson('{"a" 1}', 64)).toThrow(/position 5/);
  });

  it.each([
    ['a string', `"${'x'.repeat(MIB)}"`],
    ['escaped quotes', `"${'\\"'.repeat(MIB / 2)}"`],
    ['backslashes', `"${'\\\\'.repeat(MIB / 2)}"`],
    ['escapes', `{"a":"${'\\u005f'.repeat(MIB / 6)}"}`],
    ['numbers', `[${'1,'.repeat(MIB / 2)}1]`],
    ['exponents', `[${'1e5,'.repeat(MIB / 4)}1]`],
    ['digits', `[${`1${'0'.repeat(307)},`.repeat(MIB / 309)}1]`],
    ['long integers', `[${'1234567890123456800,'.repeat(MIB / 20)}1]`],
    ['white space around integers', `[${`${' '.repeat(100)}1,`.repeat(MIB / 102)}1]`],
    ['objects', `[${'{},'.repeat(MIB / 3)}1]`],
    ['keys', `{${Array.from({ length: 80_000 }, (_, index) => `"key${index}":1`).join()}}`],
    ['white space', `${' '.repeat(MIB)}1`],
  ])('reads 1 MiB of %s', (_name, text) => {
    expect(parseJson(text, 64)).toEqual(JSON.parse(text));
  });

  it('agrees with JSON.parse on every JSON value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text, 64)).toEqual(JSON.parse(text));
      }),
    );
  });
});
