import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { loadProject } from '../../src/load/load-project';
import { type Problem, ProjectError } from '../../src/model/problem';
import type { Field } from '../../src/model/project';
import { ALL_PARTS } from './all-parts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svcgen-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: { [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function problems(): Problem[] {
  try {
    loadProject(folder);
    return [];
  } catch (error) {
    if (error instanceof ProjectError) return error.problems;
    throw error;
  }
}

const EXAMPLE = `
# yaml-language-server: $schema=.svcgen/project.schema.json
name: device-service
validation: warn
events: true
cacheControl: private,  MAX-AGE=60
info:
  title: Devices
  version: '2.3'
  contact: { email: a@example.com }
  license: { name: MIT, identifier: MIT }
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v2beta1, { name: v1alpha1, deprecated: { since: 2026-01-31, note: "  See   the docs. " } }, v1]
    imports: [./types/common.yaml]
    types:
      Port:
        number: { type: integer, rules: [required, min=1, max=65535] }
    kinds:
      - name: Device
        specVersioning: { keep: 10 }
        versions:
          v2beta1:
            spec: &spec
              name: { type: string, rules: [required, min=1], description: What it is called }
              ports: { type: list, items: Port, key: number }
            conversion:
              - drop: { spoke: spec.name }
          v1:
            spec: *spec
            status:
              ready: { type: boolean, default: false }
              conditions: { type: list, items: Condition }
      - name: Policy
        description: What is allowed.
        versions:
          v1:
            spec:
`;
const COMMON = 'types:\n  Condition: { status: { type: string, rules: [oneof=True False] } }\n';

const NOTHING = { rules: {}, required: false, default: undefined, description: '' };

test('a project is read with its defaults filled in', () => {
  write({ 'project.yaml': EXAMPLE, 'types/common.yaml': COMMON });
  const number: Field = {
    ...NOTHING,
    name: 'number',
    type: { kind: 'integer' },
    rules: { min: 1, max: 65535 },
    required: true,
  };
  const spec: Field[] = [
    {
      name: 'name',
      type: { kind: 'string' },
      rules: { min: 1 },
      required: true,
      default: undefined,
      description: 'What it is called',
    },
    {
      ...NOTHING,
      name: 'ports',
      type: {
        kind: 'list',
        items: { type: { kind: 'ref', name: 'Port' }, rules: {}, description: '' },
        key: 'number',
      },
    },
  ];
  const condition = { type: { kind: 'ref', name: 'Condition' }, rules: {}, description: '' };
  expect(loadProject(folder).project).toEqual({
    name: 'device-service',
    validation: 'warn',
    events: true,
    nats: false,
    console: true,
    kubernetes: false,
    databases: ['sqlite', 'postgres'],
    parts: ALL_PARTS,
    requireIfMatch: false,
    cacheControl: 'private, max-age=60',
    security: [],
    info: {
      title: 'Devices',
      description: '',
      version: '2.3',
      contact: { email: 'a@example.com' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    groups: [
      {
        name: 'example.svc.dev',
        storageVersion: 'v1',
        versions: ['v1', 'v2beta1', 'v1alpha1'],
        deprecations: { v1alpha1: { since: '2026-01-31', note: 'See the docs.' } },
        types: [
          {
            name: 'Condition',
            publicName: 'Condition',
            fields: [
              { ...NOTHING, name: 'status', type: { kind: 'string' }, rules: { oneof: ['True', 'False'] } },
            ],
          },
          { name: 'Port', publicName: 'Port', fields: [number] },
        ],
        kinds: [
          {
            name: 'Device',
            group: 'example.svc.dev',
            plural: 'devices',
            publicName: 'Device',
            description: '',
            uidPrefix: 'dev',
            uniqueNames: false,
            isReferable: false,
            ownedFields: false,
            history: { keep: 10 },
            columns: [{ path: 'status.ready', title: 'ready', type: 'boolean', wide: false }],
            versions: [
              {
                version: 'v1',
                spec,
                status: [
                  { ...NOTHING, name: 'ready', type: { kind: 'boolean' }, default: false },
                  {
                    ...NOTHING,
                    name: 'conditions',
                    type: { kind: 'list', items: condition, key: undefined },
                  },
                ],
                conversion: [],
                declared: [],
              },
              {
                version: 'v2beta1',
                spec,
                status: [],
                conversion: [{ drop: { spoke: 'spec.name' } }],
                declared: [],
              },
            ],
          },
          {
            name: 'Policy',
            group: 'example.svc.dev',
            plural: 'policies',
            publicName: 'Policy',
            description: 'What is allowed.',
            uidPrefix: 'pol',
            uniqueNames: false,
            isReferable: false,
            ownedFields: false,
            history: undefined,
            columns: [],
            versions: [{ version: 'v1', spec: [], status: [], conversion: [], declared: [] }],
          },
        ],
      },
    ],
  });
});

test.each([
  ['kinds left out', 'name: demo\ngroups:\n  - name: example.svc.dev\n    versions: [v1]\n'],
  ['kinds left empty', 'name: demo\ngroups:\n  - name: example.svc.dev\n    kinds:\n'],
  ['only what is needed', 'name: demo\ngroups: [{}]'],
])('a project may have no kinds yet: %s', (_, text) => {
  write({ 'project.yaml': text });
  const group = {
    name: 'example.svc.dev',
    storageVersion: 'v1',
    versions: ['v1'],
    deprecations: {},
    types: [],
    kinds: [],
  };
  expect(loadProject(folder).project).toEqual({
    name: 'demo',
    validation: 'strict',
    events: false,
    nats: false,
    console: true,
    kubernetes: false,
    databases: ['sqlite', 'postgres'],
    parts: ALL_PARTS,
    requireIfMatch: false,
    cacheControl: 'no-cache',
    security: [],
    info: {
      title: 'demo',
      description: '',
      version: '1.0.0',
      contact: { name: 'demo' },
      license: { name: 'Not licensed to others', identifier: 'LicenseRef-UNLICENSED' },
    },
    groups: [group],
  });
});

/** A project whose only kind has the given fields, written as YAML flow. */
function projectWith(fields: string): string {
  return `name: demo\ngroups:\n  - kinds:\n      - name: Device\n        versions: { v1: { spec: { ${fields} } } }\n`;
}

function specOf(fields: string): Field[] {
  write({ 'project.yaml': projectWith(fields) });
  return loadProject(folder).project.groups[0].kinds[0].versions[0].spec;
}

const HOSTILE = '*/ ${process.exit()} `"\'\\ \u0000\u001b[31m\u2028\u202e{{json}} <!-- 名前 😀 \ud800';

test('text is carried exactly, whatever it is', () => {
  const quotedText = JSON.stringify(HOSTILE);
  const [field] = specOf(`a: { type: string, description: ${quotedText}, default: ${quotedText} }`);
  expect(field).toEqual({
    ...NOTHING,
    name: 'a',
    type: { kind: 'string' },
    default: HOSTILE,
    description: HOSTILE,
  });
});

test('the values of oneof are carried exactly, and separated by spaces alone', () => {
  const values = [...HOSTILE.split(' '), 'a\tb', 'a\nb'];
  const [field] = specOf(`a: { type: string, rules: [${JSON.stringify(`oneof=${values.join('  ')}`)}] }`);
  expect(field.rules).toEqual({ oneof: values });
});

test.each([
  ['min=0', 'integer', { min: 0 }],
  ['max=-5', 'integer', { max: -5 }],
  ['gt=-0.5', 'number', { gt: -0.5 }],
  ['lt=1e3', 'number', { lt: 1000 }],
  ['min=-0', 'number', { min: 0 }],
  ['url', 'string', { format: 'url' }],
  ['oneof=-1 0 1', 'integer', { oneof: [-1, 0, 1] }],
  ['oneof=1 2', 'string', { oneof: ['1', '2'] }],
  ['pattern=^a=b$', 'string', { pattern: '^a=b$' }],
  ['pattern=\\\\s+$', 'string', { pattern: '\\s+$' }],
])('the rule %s of a %s', (rule, type, want) => {
  expect(specOf(`a: { type: ${type}, rules: ["${rule}"] }`)[0].rules).toEqual(want);
});

test("JavaScript's words and globals work as names", () => {
  const names = [
    'class',
    'delete',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'default',
    'null',
    'true',
    'undefined',
    'Object',
  ];
  expect(specOf(names.map((name) => `${name}: string`).join(', ')).map(({ name }) => name)).toEqual(names);
});

test('groups may import the same file', () => {
  const group = (name: string): string => `  - { name: ${name}, imports: [types/../types/common.yaml] }\n`;
  write({
    'project.yaml': `name: demo\ngroups:\n${group('a.dev')}${group('b.dev')}`,
    'types/common.yaml': COMMON,
  });
  expect(loadProject(folder).project.groups.map(({ types }) => types.map(({ name }) => name))).toEqual([
    ['Condition'],
    ['Condition'],
  ]);
});

test('descriptions stay behind aliases: of a text, of a field, of a version', () => {
  write({
    'project.yaml': `
name: shop
groups:
  - versions: [v1, v2]
    storageVersion: v1
    kinds:
      - name: Device
        versions:
          v1: &fields
            spec:
              a: &a { type: string, description: &text What it is. }
              b: *a
              c: { type: object, description: *text, fields: { d: *a } }
          v2: *fields
`,
  });
  const [{ kinds }] = loadProject(folder).project.groups;
  const [described] = specOf('a: { type: string, description: What it is. }');
  for (const { spec } of kinds[0].versions)
    expect(spec).toEqual([
      described,
      { ...described, name: 'b' },
      { ...described, name: 'c', type: { kind: 'object', fields: [{ ...described, name: 'd' }] } },
    ]);
});

test('an alias can repeat a key', () => {
  expect(specOf('&a string: { type: *a }')).toEqual(specOf('string: { type: string }'));
});

test('values are located, behind aliases too', () => {
  write({ 'project.yaml': EXAMPLE, 'types/common.yaml': COMMON });
  const { locate } = loadProject(folder);
  const device = ['groups', 0, 'kinds', 0, 'versions'];
  const name = { file: 'project.yaml', line: 26, column: 21 };
  expect(locate([...device, 'v2beta1', 'spec', 'name'])).toMatchObject(name);
  expect(locate([...device, 'v1', 'spec', 'name'])).toMatchObject(name);
  expect(locate([...device, 'v2beta1', 'conversion', 0, 'drop', 'spoke'])).toMatchObject({
    file: 'project.yaml',
    line: 29,
    column: 32,
    source: '              - drop: { spoke: spec.name }',
  });
  expect(locate([...device, 'v2beta1', 'conversion', 7, 'no', 'such'])).toMatchObject({
    line: 29,
    column: 15,
  });
  expect(locate([])).toMatchObject({ line: 3, column: 1 });
});

describe('what is not a file of text', () => {
  const only = (message: string, hint?: string): Problem[] => [{ file: 'project.yaml', message, hint }];

  test('nothing', () => {
    const hint = 'run svcgen init to create a project, or choose another with --project';
    expect(problems()).toEqual(only('does not exist', hint));
  });
  test('a FIFO without a writer', () => {
    execFileSync('mkfifo', [join(folder, 'project.yaml')]);
    expect(problems()).toEqual(only('is not a regular file'));
  });
  test('an endless device', () => {
    symlinkSync('/dev/zero', join(folder, 'project.yaml'));
    expect(problems()).toEqual(only('is not a regular file'));
  });
  test('a link that leaves the project, whose target is not shown', () => {
    const outside = mkdtempSync(join(tmpdir(), 'svcgen-outside-'));
    writeFileSync(join(outside, 'secret'), 's3cr3t: [\n');
    symlinkSync(join(outside, 'secret'), join(folder, 'project.yaml'));
    expect(problems()).toEqual(
      only('leaves the project folder', 'a link must lead to a file of the same project'),
    );
    rmSync(outside, { recursive: true });
  });
  test('a link within the project is followed', () => {
    writeFileSync(join(folder, 'real.yaml'), 'name: shop\ngroups: [{ versions: [v1] }]\n');
    symlinkSync('real.yaml', join(folder, 'project.yaml'));
    expect(loadProject(folder).project.name).toBe('shop');
  });
  test('a folder', () => {
    mkdirSync(join(folder, 'project.yaml'));
    expect(problems()).toEqual(only('is not a regular file'));
  });
  test('a link to itself', () => {
    symlinkSync('project.yaml', join(folder, 'project.yaml'));
    expect(problems()).toEqual(only('cannot be read: its symbolic links form a loop'));
  });
  test('bytes that are no UTF-8', () => {
    writeFileSync(join(folder, 'project.yaml'), Buffer.from([0x6e, 0xff, 0xfe]));
    expect(problems()).toEqual(only('is not UTF-8 text'));
  });
  test('256 KiB and a byte more', () => {
    const text = 'name: demo\ngroups: [{}]\n';
    write({ 'project.yaml': text + '#'.repeat(256 * 1024 - text.length) });
    expect(problems()).toEqual([]);
    write({ 'project.yaml': text + '#'.repeat(256 * 1024 - text.length + 1) });
    expect(problems()).toEqual(only('is larger than 256 KiB'));
  });
});

test('imports that are no files of the project are refused where they are named', () => {
  const names = ['fifo', 'link-out', 'dead-link', 'linked/types.yaml'];
  write({ 'project.yaml': `name: demo\ngroups:\n  - imports: [${names.join(', ')}]\n` });
  const outside = mkdtempSync(join(tmpdir(), 'svcgen-outside-'));
  writeFileSync(join(outside, 'types.yaml'), COMMON);
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  symlinkSync(join(outside, 'types.yaml'), join(folder, 'link-out'));
  symlinkSync('nowhere', join(folder, 'dead-link'));
  symlinkSync(outside, join(folder, 'linked'));
  expect(problems().map(({ line, message }) => [line, message])).toEqual([
    [3, '"fifo" is not a regular file'],
    [3, '"link-out" leaves the project folder'],
    [3, '"dead-link" does not exist'],
    [3, '"linked/types.yaml" leaves the project folder'],
  ]);
  rmSync(outside, { recursive: true });
});

test('a project folder that is itself a link may import its own files', () => {
  write({
    'real/project.yaml': 'name: demo\ngroups: [{ imports: [types.yaml] }]\n',
    'real/types.yaml': COMMON,
  });
  symlinkSync('real', join(folder, 'link'));
  expect(loadProject(join(folder, 'link')).project.groups[0].types).toHaveLength(1);
});

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '\n',
  '\n  ',
  '&a ',
  '*a',
  '"',
  "'",
  '|',
  '>',
  '#',
  '? ',
  '!!str ',
  '\t',
  '<<: ',
];
const WORDS = [
  'null',
  '1e999',
  '.nan',
  '__proto__',
  'constructor',
  'default',
  'type',
  'list',
  'rules',
  'pattern=(a+)+$',
  'Condition',
];

test('whatever stands in the file, only a ProjectError is thrown', () => {
  const piece = fc.oneof(fc.constantFrom(...PIECES, ...WORDS), fc.string({ maxLength: 8, unit: 'binary' }));
  const edit = fc.record({ at: fc.nat(EXAMPLE.length), drop: fc.nat(40), piece });
  const texts = fc
    .array(edit, { minLength: 1, maxLength: 6 })
    .map((edits) =>
      edits.reduce(
        (text, { at, drop, piece: inserted }) => text.slice(0, at) + inserted + text.slice(at + drop),
        EXAMPLE,
      ),
    );
  fc.assert(
    fc.property(texts, (text) => {
      write({ 'project.yaml': text, 'types/common.yaml': COMMON });
      for (const { file, line, column, message } of problems()) {
        expect(file).toMatch(/^(project|types\/common)\.yaml$/);
        expect([line! > 0, column! > 0, message.length > 0]).toEqual([true, true, true]);
      }
    }),
    { numRuns: 300 },
  );
});

/** Any value of JSON in place of any value of the example. */
test('whatever shape a value has, only a ProjectError is thrown', () => {
  const paths = [
    'validation: ',
    'events: ',
    'cacheControl: ',
    'versions: ',
    'imports: ',
    'types: ',
    'kinds: ',
    'name: ',
    'spec: ',
    'items: ',
    'rules: ',
    'type: ',
    'default: ',
    'conversion: ',
  ];
  const value = fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.stringify(json));
  const flow = EXAMPLE.split('\n');
  fc.assert(
    fc.property(fc.nat(flow.length - 1), fc.constantFrom(...paths), value, (line, key, json) => {
      const text = flow
        .map((one, index) => (index === line ? one.replace(/\S+: .*$/, `${key}${json}`) : one))
        .join('\n');
      write({ 'project.yaml': text, 'types/common.yaml': COMMON });
      expect(() => problems()).not.toThrow();
    }),
    // Values that JavaScript cannot turn into a string led to a TypeError.
    { numRuns: 300, examples: [[2, 'validation: ', '{"toString":[]}']] },
  );
});
