import { loadProject } from '../../src/load/load-project';
import { creatable } from '../../src/render/kinds/creatable';
import { variant } from '../../templates/contract/variant';

/** The spec of new Parts with these fields, and their needs. */
function needsOf(spec: string, names = ''): object | undefined {
  const { project } = loadProject(
    '.',
    `name: parts
groups:
  - kinds:
      - name: Part
        ${names}
        versions: { v1: { spec: ${spec.replace(/\n\s*/g, ' ')} } }
      - name: Named
        names: unique
        versions: { v1: { spec: {} } }
      - name: Plain
        versions: { v1: { spec: {} } }
`,
  );
  const [group] = project.groups;
  return creatable(group, group.kinds[0], group.kinds);
}

const TABLE: [what: string, spec: string, want: object | undefined][] = [
  ['no declarations', '{ a: string }', { spec: { a: 'a' }, unique: [], references: [] }],
  [
    'optional fields',
    '{ a: { type: string, rules: [unique] }, b: { type: string, ref: Plain }, c: { type: string, rules: [immutable] } }',
    { spec: {}, unique: [], references: [] },
  ],
  [
    'required fields of an optional object',
    '{ o: { type: object, fields: { a: { type: string, rules: [required, unique] } } } }',
    { spec: {}, unique: [], references: [] },
  ],
  [
    'optional fields of a required object',
    '{ o: { type: object, rules: [required], fields: { a: { type: string, rules: [unique] }, b: string } } }',
    { spec: { o: { b: 'b' } }, unique: [], references: [] },
  ],
  [
    'a required field that is immutable',
    '{ a: { type: string, rules: [required, immutable] } }',
    { spec: { a: 'a' }, unique: [], references: [] },
  ],
  [
    'required unique fields',
    `{ a: { type: string, rules: [required, unique] },
       b: { type: integer, rules: [required, unique, min=5] },
       c: { type: integer, rules: [required, unique, max=-1] },
       d: { type: timestamp, rules: [required, unique] },
       e: { type: string, rules: [required, unique, email] },
       f: { type: string, rules: [required, unique, ip] },
       g: { type: string, rules: [required, unique, max=3] },
       h: { type: string, rules: [required, unique, 'pattern=^[A-Z]{2}-[0-9]{4}$'] } }`,
    {
      spec: {
        a: 'a-0000',
        b: 5,
        c: -1001,
        d: '2026-01-02T03:04:05.0000Z',
        e: 'someone000@example.com',
        f: '2001:db8::100',
        g: '000',
        h: expect.stringMatching(/^[A-Z]{2}-\d{4}$/) as string,
      },
      unique: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [name]),
      references: [],
    },
  ],
  [
    'unique values that are too few',
    '{ a: { type: string, rules: [required, unique, oneof=x y] } }',
    undefined,
  ],
  ['unique booleans', '{ a: { type: boolean, rules: [required, unique] } }', undefined],
  [
    'required references',
    `{ a: { type: string, rules: [required], ref: Plain },
       b: { type: list, rules: [required, min=1], items: { type: string, ref: Named } } }`,
    {
      spec: { a: 'a', b: ['b'] },
      unique: [],
      references: [
        { path: ['a'], kind: 'Plain' },
        { path: ['b'], kind: 'Named', isList: true },
      ],
    },
  ],
  [
    'a reference with a default',
    '{ a: { type: string, default: main, ref: Named } }',
    { spec: { a: 'main' }, unique: [], references: [{ path: ['a'], kind: 'Named', name: 'main' }] },
  ],
  ['a default that no uid can be', '{ a: { type: string, default: main, ref: Plain } }', undefined],
  [
    'a reference that not every uid can be',
    '{ a: { type: string, rules: [required, max=8], ref: Named } }',
    { spec: { a: 'a' }, unique: [], references: [{ path: ['a'], kind: 'Named', name: 'named' }] },
  ],
];

test.each(TABLE)('%s', (_, spec, want) => expect(needsOf(spec)).toEqual(want));

test('a kind that refers to itself', () => {
  expect(needsOf('{ a: { type: string, rules: [required], ref: Part } }', 'names: unique')).toEqual({
    spec: { a: 'a' },
    unique: [],
    references: [{ path: ['a'], kind: 'Part' }],
  });
});

test.each([
  [1, 7, 8],
  ['a-0000', 12, 'a-0012'],
  ['v1-009', 1, 'v1-010'],
  ['az', 1, 'ba'],
  ['Zz', 1, 'Aa'],
  ['-', 5, '-'],
  [true, 5, true],
])('variants: %j, number %d', (value, n, want) => expect(variant(value, n)).toBe(want));
