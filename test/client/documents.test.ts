import { Readable } from 'node:stream';
import { parse } from 'yaml';
import { readResources, type ResourceDocument } from '../../templates/ctl/documents';
import { serialised } from '../../templates/ctl/output';

const read = (text: string): Promise<ResourceDocument[]> =>
  readResources('-', { stdin: Readable.from([text]) });

test('documents of YAML, lists of them and JSON', async () => {
  const document = { kind: 'Device', spec: { size: 1 } };
  await expect(read('kind: Device\nspec: { size: 1 }\n')).resolves.toEqual([document]);
  await expect(read('- kind: Device\n  spec: { size: 1 }\n---\n')).resolves.toEqual([document]);
  await expect(read(JSON.stringify([document, document]))).resolves.toEqual([document, document]);
  await expect(
    read('kind: Device\nspec: &spec { size: 1 }\n---\nkind: Device\nspec: { size: 1 }\n'),
  ).resolves.toEqual([document, document]);
});

test('keys are names, whatever they look like', async () => {
  const [{ spec }] = await read('kind: Device\nspec: { null: 1, true: 2, 1.50: 3, 0x10: 4, ~: 5 }\n');
  expect(spec).toEqual({ null: 1, true: 2, '1.50': 3, '0x10': 4, '~': 5 });
});

test('a name of two brackets is none of a merge', async () => {
  const spec = { '<<': { a: '<<' } };
  const [document] = await read(`kind: Device\nspec: ${JSON.stringify(spec)}\n`);
  expect(document.spec).toEqual(spec);
  const [same] = await read(serialised(document, 'yaml'));
  expect(same.spec).toEqual(spec);
});

test('strings are strings for readers of YAML 1.1, too', async () => {
  const strings = [
    'yes',
    'NO',
    'on',
    'y',
    '012',
    '1_000',
    '1:30',
    '2026-01-31',
    '2026-01-31T12:00:00.000Z',
    '=',
    '~',
  ];
  const spec = Object.fromEntries(strings.map((text) => [text, text]));
  const written = serialised({ kind: 'Device', spec }, 'yaml');
  expect(parse(written, { version: '1.1' })).toEqual({ kind: 'Device', spec });
  expect(written).toContain('  "=": "="\n');
  const [same] = await read(written);
  expect(same.spec).toEqual(spec);
});

test('metadata without members is no metadata', async () => {
  const [{ metadata }] = await read('kind: Device\nmetadata:\nspec: {}\n');
  expect(metadata).toBeUndefined();
});

test.each([
  ['an alias of nothing', 'spec: *other', /^-: Unresolved alias .*: other$/],
  [
    'an alias that contains itself',
    'spec: &spec { again: *spec }',
    /^-: Converting circular structure to JSON$/,
  ],
  [
    'nesting without end',
    '['.repeat(20_000),
    /^-: It is nested more than 500 levels deep at line 2, column 500$/,
  ],
  ['a key twice', 'spec: { a: 1, "a": 2 }', /^-: Map keys must be unique at line 2, column 15$/],
  [
    'a merge key',
    'spec: { a: &a { x: 1 }, b: { <<: *a } }',
    /^-: Merge keys are not supported: .* at line 2, column 30$/,
  ],
  ['a tag', 'spec: !Ref other', /^-: Unresolved tag: !Ref at line 2, column 7$/],
  [
    'a value that JSON does not have',
    'spec: { a: !!set { b, c } }',
    /^-: Unresolved tag: tag:yaml.org,2002:set at line 2, column 12$/,
  ],
  [
    'a number that JSON does not have',
    'spec: { size: .inf }',
    /^-: JSON has no number \.inf at line 2, column 15$/,
  ],
  [
    'such a number in JSON',
    '{"spec": {"size": 1e400}}',
    /^-: JSON has no number 1e400 at line 1, column 19$/,
  ],
  [
    'an integer that would be rounded',
    'spec:\n  size: -9007199254740993',
    /^-: the integer -9007199254740993 would be stored as -9007199254740992; send it as a string at line 3, column 9$/,
  ],
  [
    'the same in JSON',
    '{"spec": {"size": 9007199254740993}}',
    /^-: the integer 9007199254740993 would be stored/,
  ],
  ['a list as a key', 'spec: { ? [a] : 1 }', /^-: A key must be a plain string at line 2, column 11$/],
  ['an empty uid', "spec: {}\nmetadata: { uid: '' }", /^-, resource 1: metadata\.uid "" names no resource$/],
  ['text', 'Device', /^-, resource 1: kind is missing$/],
])('%s is refused', async (_what, text, message) => {
  const whole = /^(?:Device$|\{)/.test(text) ? text : `kind: Device\n${text}`;
  await expect(read(whole)).rejects.toThrow(message);
});
