import { addVersion } from '../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../src/load/load-project';
import { formatProblems, ProjectError } from '../../src/model/problem';
import { dataOf } from '../../src/plan/kind-data';
import { planProject } from '../../src/plan/plan-project';
import type { PlannedKind } from '../../src/plan/planned-project';
import type { KindData, SelectableField } from '../../templates/runtime/model/kinds/kind-data';

const load = (text: string): LoadedProject => loadProject('.', text);

/** A group of Parts, with the members of the kind and its versions as they are written, and of Suppliers. */
function project(names: string, versions: string, more = ''): string {
  return `name: parts
groups:
  - storageVersion: v1
    versions: [${names}]
    types:
      Box: { code: { type: string, selectable: true }, note: string }
    kinds:
      - name: Part
${more.replace(/^(?=.)/gm, '        ')}        versions:
${versions.replace(/^(?=.)/gm, '          ')}
      - name: Supplier
        names: unique
        versions: { v1: { spec: {} } }
`;
}

function kinds(text: string): PlannedKind[] {
  return planProject({ loaded: load(text), problems: [] }).kinds;
}

function dataOfParts(text: string): KindData | undefined {
  return dataOf(kinds(text)[0]);
}

const HUB = `v1:
  spec:
    sku: { type: string, rules: [required, unique, immutable] }
    price: { type: number, selectable: true }
    count: { type: integer, selectable: true }
    made: { type: timestamp, selectable: true }
    tags: { type: list, items: string, selectable: true }
    first: { type: string, selectable: true }
    last: { type: string, selectable: true }
    level: { type: string, rules: [oneof=low high], selectable: true }
    fixed: { type: map, values: string, rules: [immutable] }
    box: Box
    inner: { type: object, fields: { deep: { type: boolean, selectable: true } } }
    supplier: { type: string, rules: [required], ref: Supplier }
    related: { type: list, items: { type: string, ref: { kind: Part, onDelete: clear } } }
    plain: string
  status:
    ready: { type: boolean, default: false, selectable: true }
`;

test('a kind without declarations has no data', () => {
  expect(dataOfParts(project('v1', 'v1: { spec: { a: string } }\n'))).toBeUndefined();
});

test('a kind that others refer to is referable', () => {
  const [, supplier] = kinds(project('v1', HUB));
  expect(dataOf(supplier)).toEqual({ uniqueNames: true, isReferable: true });
});

test('the declarations of the storage version', () => {
  const field = (path: string, type: string, isList?: true): object => ({
    ...{ path: path.split('.'), type, index: `v1:${path}` },
    ...(isList && { isList }),
  });
  expect(dataOfParts(project('v1', HUB, 'names: unique\n'))).toEqual({
    uniqueNames: true,
    isReferable: true,
    selectable: {
      v1: [
        field('spec.sku', 'string'),
        field('spec.price', 'number'),
        field('spec.count', 'integer'),
        field('spec.made', 'timestamp'),
        field('spec.tags', 'string', true),
        field('spec.first', 'string'),
        field('spec.last', 'string'),
        field('spec.level', 'string'),
        field('spec.box.code', 'string'),
        field('spec.inner.deep', 'boolean'),
        field('spec.supplier', 'string'),
        field('spec.related', 'string', true),
        field('status.ready', 'boolean'),
      ],
    },
    unique: [['spec', 'sku']],
    immutable: [
      ['spec', 'sku'],
      ['spec', 'fixed'],
    ],
    references: [
      { path: ['spec', 'supplier'], kind: 'Supplier', onDelete: 'restrict' },
      { path: ['spec', 'related'], kind: 'Part', onDelete: 'clear', isList: true },
    ],
  });
});

describe('the index of a selectable field in a spoke', () => {
  const TABLE: [how: string, hub: string, spoke: string, rules: string, want: string[]][] = [
    [
      'the same path',
      'a: { type: string, selectable: true }',
      'a: string',
      '',
      ['spec.a string v1beta1:spec.a'],
    ],
    [
      'rename',
      'a: { type: string, selectable: true }',
      'b: string',
      'rename: { hub: spec.a, spoke: spec.b }',
      ['spec.b string v1beta1:spec.b'],
    ],
    [
      'rename into an object',
      'a: { type: list, items: integer, selectable: true }',
      'b: { type: object, fields: { c: { type: list, items: integer } } }',
      'rename: { hub: spec.a, spoke: spec.b.c }',
      ['spec.b.c integer[] v1beta1:spec.b.c'],
    ],
    [
      'a type of its own',
      'a: { type: string, selectable: true }',
      'a: timestamp',
      '',
      ['spec.a timestamp v1beta1:spec.a'],
    ],
    [
      'a default of its own',
      'a: { type: string, selectable: true }',
      'a: { type: string, default: x }',
      '',
      ['spec.a string v1beta1:spec.a'],
    ],
    [
      'the rule default',
      'a: { type: string, selectable: true }',
      'a: string',
      'default: { spoke: spec.a, value: x }',
      ['spec.a string v1beta1:spec.a'],
    ],
    [
      'scale',
      'a: { type: number, selectable: true }',
      'b: integer',
      'scale: { hub: spec.a, spoke: spec.b, factor: 1000 }',
      ['spec.b integer v1beta1:spec.b'],
    ],
    [
      'map',
      'a: { type: string, rules: [oneof=x y], selectable: true }',
      'a: boolean',
      'map: { hub: spec.a, spoke: spec.a, values: { x: true, y: false } }',
      ['spec.a boolean v1beta1:spec.a'],
    ],
    [
      'map of elements',
      'a: { type: list, items: { type: string, rules: [oneof=x y] }, selectable: true }',
      'a: { type: list, items: integer }',
      "map: { hub: 'spec.a[]', spoke: 'spec.a[]', values: { x: 1, y: 2 }, otherwise: { hub: x } }",
      ['spec.a integer[] v1beta1:spec.a'],
    ],
    [
      'cast',
      'a: { type: integer, selectable: true }',
      'a: string',
      'cast: { hub: spec.a, spoke: spec.a, otherwise: { hub: 0 } }',
      ['spec.a string v1beta1:spec.a'],
    ],
    [
      'join',
      'a: { type: string, selectable: true }, b: { type: string, selectable: true }',
      'c: string',
      "join: { hub: [spec.a, spec.b], spoke: spec.c, separator: ' ' }",
      ['spec.c string v1beta1:spec.c'],
    ],
    [
      'join with a field that is not selectable',
      'a: { type: string, selectable: true }, b: string',
      'c: string',
      "join: { hub: [spec.a, spec.b], spoke: spec.c, separator: ' ' }",
      [],
    ],
    [
      'join in the storage version',
      'c: { type: string, selectable: true }',
      'a: string, b: string',
      "join: { hub: spec.c, spoke: [spec.a, spec.b], separator: ' ' }",
      ['spec.a string v1beta1:spec.a', 'spec.b string v1beta1:spec.b'],
    ],
    [
      'join of a list',
      'a: { type: list, items: string, selectable: true }',
      'a: string',
      "join: { hub: spec.a, spoke: spec.a, separator: ',' }",
      ['spec.a string v1beta1:spec.a'],
    ],
    [
      'wrap',
      'a: { type: list, items: string, selectable: true }',
      'a: string',
      'wrap: { hub: spec.a, spoke: spec.a }',
      [],
    ],
    ['no field', 'a: { type: string, selectable: true }', 'b: string', '', []],
    [
      'custom',
      'a: { type: string, selectable: true }',
      'b: string',
      'custom: { hub: spec.a, spoke: spec.b, name: x }',
      [],
    ],
    [
      'an object that is renamed',
      'a: { type: object, fields: { b: { type: string, selectable: true } } }',
      'c: { type: object, fields: { b: string } }',
      'rename: { hub: spec.a, spoke: spec.c }',
      ['spec.c.b string v1beta1:spec.c.b'],
    ],
    [
      'a shared type',
      'a: Box',
      'b: Box',
      'rename: { hub: spec.a, spoke: spec.b }',
      ['spec.b.code string v1beta1:spec.b.code'],
    ],
  ];

  const shown = ({ path, type, isList, index }: SelectableField): string =>
    `${path.join('.')} ${type}${isList ? '[]' : ''} ${index}`;

  test.each(TABLE)('%s', (_, hub, spoke, rule, want) => {
    const versions = `v1: { spec: { ${hub} } }
v1beta1: { spec: { ${spoke} }, conversion: [${rule === '' ? '' : `{ ${rule} }`}] }
`;
    const data = dataOfParts(project('v1, v1beta1', versions));
    expect((data?.selectable?.['v1beta1'] ?? []).map(shown)).toEqual(want);
  });
});

describe('add version', () => {
  test('copies the declarations', () => {
    const text = addVersion(project('v1', HUB), { name: 'v2' }, load);
    const { selectable = {} } = dataOfParts(text)!;
    expect(text.split('ref: { kind: Part, onDelete: clear }')).toHaveLength(3);
    expect(selectable['v2']).toMatchObject(
      selectable['v1'].map((field) => ({ ...field, index: field.index.replace('v1', 'v2') })),
    );
  });

  const MOVABLE = `v1:
  spec:
    sku: { type: string, rules: [required, unique, immutable] } # the article
    price: { type: number, selectable: true }
    tags: { type: list, items: { type: string, ref: { kind: Part, onDelete: clear } }, selectable: true }
    supplier: { type: string, ref: Supplier }
    name: { type: string, selectable: true }
    box: Box
    inner: { type: object, fields: { deep: { type: boolean, selectable: true } } }
v2:
  spec:
    code: { type: string, rules: [required] } # the new article
    cents: integer # in cents
    tags: { type: list, items: string }
    vendor: string
    first: string
    last: { type: string, selectable: true }
    box: Box
    inner:
      type: object
      fields:
        deep: boolean
  conversion:
    - rename: { hub: spec.sku, spoke: spec.code }
    - scale: { hub: spec.price, spoke: spec.cents, factor: 0.01 }
    - rename: { hub: spec.supplier, spoke: spec.vendor }
    - join: { hub: spec.name, spoke: [spec.first, spec.last], separator: ' ' }
`;

  test('moves the declarations with the storage version', () => {
    const text = addVersion(project('v1, v2', MOVABLE), { name: 'v2', storage: true }, load);
    expect(text.slice(text.indexOf('          v2:'), text.indexOf('      - name: Supplier')))
      .toBe(`          v2:
            spec:
              code: { type: string, rules: [required, unique, immutable] } # the new article
              cents: { type: integer, selectable: true } # in cents
              tags: { type: list, items: { type: string, ref: { kind: Part, onDelete: clear } }, selectable: true }
              vendor: { type: string, ref: Supplier }
              first: { type: string, selectable: true }
              last: { type: string, selectable: true }
              box: Box
              inner:
                type: object
                fields:
                  deep: { type: boolean, selectable: true }

`);
    const { selectable } = dataOfParts(text)!;
    expect(Object.keys(selectable!)).toEqual(['v2', 'v1']);
    expect(selectable!['v1']).toHaveLength(dataOfParts(project('v1, v2', MOVABLE))!.selectable!['v1'].length);
  });

  const REFUSALS: [string, hub: string, spoke: string, rule: string, want: string][] = [
    [
      'a field that the version lacks',
      'a: { type: string, selectable: true }',
      'b: string',
      '',
      `project.yaml:10:28: Part: spec.a is selectable in v1, but v2 has no field for it
  hint: the storage version holds declarations: change v2, or remove this one`,
    ],
    [
      'a unique field that is converted',
      'a: { type: integer, rules: [unique] }',
      'a: string',
      'cast: { hub: spec.a, spoke: spec.a, otherwise: { hub: 0 } }',
      `project.yaml:10:28: Part: spec.a is unique in v1, but converted by the rule cast in v2
  hint: the storage version holds declarations: change v2, or remove this one`,
    ],
    [
      'a field of a shared type',
      'a: { type: string, selectable: true }',
      'box: Box',
      'rename: { hub: spec.a, spoke: spec.box.note }',
      `project.yaml:10:28: Part: spec.a is selectable in v1, but spec.box.note of v2 is declared in the type Box
  hint: declare it in the type first`,
    ],
  ];

  test.each(REFUSALS)('does not move %s', (_, hub, spoke, rule, want) => {
    const text = project(
      'v1, v2',
      `v1: { spec: { ${hub} } }\nv2: { spec: { ${spoke} }, conversion: [${rule && `{ ${rule} }`}] }\n`,
    );
    let reported = '';
    try {
      addVersion(text, { name: 'v2', storage: true }, load);
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      reported = formatProblems(error.problems.map(({ source: _, ...problem }) => problem));
    }
    expect(reported).toBe(want);
  });
});
