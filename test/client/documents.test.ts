import { Readable } from 'node:stream';
import { readResources, type ResourceDocument } from '../../templates/ctl/documents';

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

test('many keys, and many mistakes, take no more time for each', async () => {
  const keys = Array.from({ length: 40_000 }, (_, index) => `  k${index}: a\n`).join('');
  const { user } = process.cpuUsage();
  const [{ spec }] = await read(`kind: Device\nspec:\n${keys}`);
  expect(Object.keys(spec)).toHaveLength(40_000);
  await expect(read('"a" '.repeat(60_000))).rejects.toThrow(/^-: .* at line 1, column 5$/);
  // It took a minute while each key was compared with all before it, and each mistake quoted the whole line.
  expect(process.cpuUsage().user - user).toBeLessThan(10_000_000);
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
  ['a key twice', 'spec: { a: 1, "a": 2 }', /^-: Map keys must be unique at line 2, column 15$/],
  ['a number that JSON does not have', 'spec: { size: .inf }', /^-: JSON has no number Infinity$/],
  ['an empty uid', "spec: {}\nmetadata: { uid: '' }", /^-, resource 1: metadata\.uid "" names no resource$/],
  ['text', 'Device', /^-, resource 1: kind is missing$/],
])('%s is refused', async (_what, text, message) => {
  await expect(read(`kind: Device\n${text}`.replace('kind: Device\nDevice', 'Device'))).rejects.toThrow(
    message,
  );
});
