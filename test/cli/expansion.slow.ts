import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run';
import { Terminal } from '../support/terminal';

// A small project.yaml that stands for very much is generated, or refused.

const project = `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1]
    kinds: # ours
      - name: Device
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
`;

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'svcgen-expansion-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Generates the project of a project.yaml. */
async function generate(file: string): Promise<{ exit: number; err: string }> {
  writeFileSync(join(root, 'project.yaml'), file);
  const io = new Terminal(root);
  return { exit: await run(['generate'], io), err: io.err };
}

const types = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `      T${i}: { a: ${i + 1 < count ? `T${i + 1}` : 'string'} }\n`,
  ).join('');
const withTypes = (count: number): string =>
  `name: shop\ngroups:\n  - versions: [v1]\n    types:\n${types(count)}    kinds:\n      - name: Device\n        versions: { v1: { spec: { a: T0 } } }\n`;
/** Types that are converted at the deepest level; with `ring`, the deepest has a list of the first. */
const inTwoVersions = (count: number, ring = false): string =>
  [
    'name: shop\ngroups:\n  - versions: [v1, v2]\n    storageVersion: v2\n    types:\n',
    ...Array.from({ length: count }, (_, i) => {
      const next = i + 1 < count ? `T${i + 1}` : ring ? 'T0' : 'string';
      return `      T${i}: { a: ${ring ? `{ type: list, items: ${next} }` : next}, n: string, m: string }\n`;
    }),
    '    kinds:\n      - name: Device\n        versions:\n          v2: { spec: { a: T0 } }\n',
    '          v1:\n            spec: { a: T0 }\n            conversion:\n',
    `              - rename: { hub: T${count - 1}.n, spoke: T${count - 1}.m }\n`,
    `              - rename: { hub: T${count - 1}.m, spoke: T${count - 1}.n }\n`,
  ].join('');
const text = 'x'.repeat(60_000);
const fields = (count: number, field: string): string =>
  Array.from({ length: count }, (_, i) => `              f${i}: ${field}\n`).join('');

test.each<[string, string, string]>([
  [
    'aliases of a description',
    `${project}              d: { type: string, description: &d ${text} }\n${fields(2000, '{ type: string, description: *d }')}`,
    'the aliases of this file expand to more than 1048576 characters',
  ],
  [
    'aliases of a default',
    `${project}              d: { type: string, default: &d ${text} }\n${fields(600, '{ type: string, default: *d }')}`,
    'the aliases of this file expand to more than 1048576 characters',
  ],
  [
    'a default of a shared type of many kinds',
    `name: shop\ngroups:\n  - versions: [v1]\n    types: { T: { a: { type: string, default: ${text.repeat(3)} } } }\n    kinds:\n${Array.from({ length: 500 }, (_, i) => `      - { name: K${i}, versions: { v1: { spec: { t: T } } } }\n`).join('')}`,
    'the files of this project would hold more than 128 MiB',
  ],
  ['2,000 nested types', withTypes(2000), 'refer to each other in too long a chain'],
  ['2,000 nested types in two versions', inTwoVersions(2000), 'refer to each other in too long a chain'],
])('%s: a problem, nothing is written', async (_what, file, message) => {
  expect(await generate(file)).toEqual({ exit: 2, err: expect.stringContaining(message) });
  expect(readdirSync(root)).toEqual(['project.yaml']);
});

test.each([
  ['400 nested types', inTwoVersions(400)],
  ['a ring of 200 types', inTwoVersions(200, true)],
])('%s in two versions work', async (_what, file) => {
  expect(await generate(file)).toMatchObject({ exit: 0 });
});
