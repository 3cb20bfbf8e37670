import fc from 'fast-check';

// Regular expressions of JavaScript with flag u, and texts that come near to them.

/** Characters that engines treat in different ways: line ends, spaces, word characters, pairs of surrogates and halves of them. */
const CHARACTERS = [
  ...'aAbzZ019_-/.^$]["\\ \n\r\t\v\f\0',
  ...[
    '\u2028',
    '\u2029',
    '\u00a0',
    '\ufeff',
    '\u180e',
    '\u1680',
    '\u0085',
    '\u00e4',
    '\u017f',
    '\u212a',
    '\u0130',
  ],
  ...['\u{1f600}', '\u{10ffff}', '\ud83d', '\ude00', '\ud800', '\udfff'],
];

const character = fc.constantFrom(...CHARACTERS);

function escape(one: string, unit: 'x' | 'u' | 'brace' | 'plain'): string {
  const codePoint = one.codePointAt(0)!;
  const hex = codePoint.toString(16);
  if (unit === 'x' && codePoint < 0x100) return `\\x${hex.padStart(2, '0')}`;
  if (unit === 'u' && codePoint < 0x10000) return `\\u${hex.padStart(4, '0')}`;
  if (unit === 'plain' && /[a-zA-Z0-9_ \u{80}-\u{10ffff}]/u.test(one) && !/[\ud800-\udfff]/u.test(one))
    return one;
  return `\\u{${hex}}`;
}

const literal = fc
  .tuple(character, fc.constantFrom('x', 'u', 'brace', 'plain', 'plain', 'plain'))
  .map(([one, unit]) => escape(one, unit as 'x'));
const control = fc.constantFrom(
  '\\t',
  '\\n',
  '\\v',
  '\\f',
  '\\r',
  '\\cJ',
  '\\cA',
  '\\/',
  '\\.',
  '\\$',
  '\\]',
);
const set = fc.constantFrom(
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S'],
  ...[
    '\\p{Lu}',
    '\\P{L}',
    '\\p{Script=Greek}',
    '\\p{sc=Latn}',
    '\\p{ASCII}',
    '\\p{Any}',
    '\\p{Cs}',
    '\\p{White_Space}',
  ],
);
const range = fc.tuple(character, character).map(([one, other]) => {
  const [low, high] = [one, other].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!) as [string, string];
  return `${escape(low, 'brace')}-${escape(high, 'brace')}`;
});
const charClass = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(literal, control, set, range, fc.constant('\\b'), fc.constant('\\-')), {
      maxLength: 4,
    }),
  )
  .map(([negate, members]) => `[${negate ? '^' : ''}${members.join('')}]`);
const quantifier = fc
  .tuple(
    fc.constantFrom('*', '+', '?', '{0}', '{1}', '{2}', '{0,2}', '{1,3}', '{2,}', '{0,}', '{3,3}'),
    fc.constantFrom('', '', '?'),
  )
  .map((parts) => parts.join(''));

const { alternatives } = fc.letrec<{ alternatives: string; sequence: string; term: string; atom: string }>(
  (tie) => ({
    alternatives: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((all) => all.join('|')),
    sequence: fc.array(tie('term'), { maxLength: 4 }).map((all) => all.join('')),
    term: fc.oneof(
      { weight: 6, arbitrary: tie('atom') },
      { weight: 4, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
      { weight: 2, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    ),
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      literal,
      control,
      set,
      charClass,
      fc.constant('.'),
      tie('alternatives').map((inside) => `(?:${inside})`),
      tie('alternatives').map((inside) => `(${inside})`),
      tie('alternatives').map((inside) => `(?<name>${inside.replaceAll('?<name>', '')})`),
    ),
  }),
);

const lookarounds = (forms: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...forms), alternatives).map(([form, inside]) => `(?${form}${inside})`),
      { maxLength: 2 },
    )
    .map((all) => all.join(''));

const anchored = fc
  .tuple(
    lookarounds(['=', '!']),
    fc.array(
      alternatives.map((one) => `(?:${one})`),
      { maxLength: 2 },
    ),
    lookarounds(['<=', '<!']),
  )
  .map(([ahead, main, behind]) => `^${ahead}${main.join('')}${behind}$`);

/** A valid pattern that svcgen accepts. A name of a group may stand in it once only. */
export const randomPattern = fc
  .oneof(
    alternatives,
    alternatives.map((one) => `^(?:${one})$`),
    anchored,
  )
  .map((pattern) => {
    let names = 0;
    return pattern.replaceAll('?<name>', () => `?<name${names++}>`);
  })
  .filter((pattern) => pattern.length <= 300);

/** A short text, made of the characters that patterns are made of. */
export const randomText = fc.array(character, { maxLength: 8 }).map((all) => all.join(''));
