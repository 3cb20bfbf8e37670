import { indexedKinds, plansOf } from '../../../templates/runtime/data/indexed-kinds';
import { entriesOf } from '../../../templates/runtime/data/plan/entries';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { KindData, ScalarType } from '../../../templates/runtime/model/kinds/kind-data';
import { hubStateOf } from '../../../templates/runtime/model/kinds/versioning';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { Json } from '../../../templates/runtime/model/schema';
import { ABSENT, keyOf } from '../../../templates/runtime/store/indexing/key';
import { creation } from '../store/store-writes';
import { mountedKinds } from '../support/harness';
import { DATA, shopProject } from './shop';

const PART = 'example.svc.dev/Part';
const SUPPLIER = 'example.svc.dev/Supplier';
const kinds = mountedKinds(shopProject(), {}, DATA).map(({ kind }) => kind);
const plan = plansOf(kinds).get(PART)!;

const part = (spec: Resource['spec'], status?: Resource['status']): Resource => ({
  apiVersion: 'example.svc.dev/v1',
  kind: 'Part',
  metadata: {
    name: 'lamp',
    uid: 'par-0123456789abcdef',
    createdAt: '2026-11-22T10:00:00.000Z',
    updatedAt: '2026-11-22T11:00:00.000Z',
    generation: 1,
  },
  spec,
  status,
});
const stateOf = (hub: Resource) =>
  hubStateOf(plan.kind, creation(hub.metadata.uid, { text: JSON.stringify(hub), version: 'v1' }));
const indexOf = (hub: Resource, scope = {}) => entriesOf(plan, stateOf(hub), scope).index;
const key = (value: Json, type: ScalarType = 'string') => keyOf(value, type)!;

test('each index has an entry of every resource, in the words of the version that shows it', () => {
  const { fields } = indexOf(part({ sku: 'a', price: 1.23, tags: ['x', 'y', 'x'] }, { phase: 'Ready' }));
  expect(fields).toEqual([
    { index: 'metadata.name', key: key('lamp') },
    { index: 'metadata.uid', key: key('par-0123456789abcdef') },
    { index: 'metadata.createdAt', key: key('2026-11-22T10:00:00Z', 'timestamp') },
    { index: 'metadata.updatedAt', key: key('2026-11-22T11:00:00Z', 'timestamp') },
    { index: 'spec.sku', key: key('a') },
    { index: 'spec.price', key: key(1.23, 'number') },
    { index: 'spec.related', key: ABSENT },
    { index: 'spec.supplier', key: ABSENT },
    { index: 'spec.parent', key: ABSENT },
    { index: 'spec.spare', key: ABSENT },
    { index: 'spec.tags', key: key('x') },
    { index: 'spec.tags', key: key('y') },
    { index: 'spec.fit.arm.part', key: ABSENT },
    { index: 'status.phase', key: key('Ready') },
    { index: 'v1beta1:spec.code', key: key('a') },
    { index: 'v1beta1:spec.cents', key: key(123, 'number') },
    { index: 'v1beta1:spec.others', key: ABSENT },
    { index: 'v1beta1:spec.supplier', key: ABSENT },
    { index: 'v1beta1:spec.parent', key: ABSENT },
    { index: 'v1beta1:spec.spare', key: ABSENT },
    { index: 'v1beta1:spec.tags', key: key('x') },
    { index: 'v1beta1:spec.tags', key: key('y') },
    { index: 'v1beta1:spec.fit.arm.part', key: ABSENT },
    { index: 'v1beta1:status.phase', key: key('Ready') },
  ]);
});

test('absent unique values and values of another type have no unique entry', () => {
  const names = (spec: Resource['spec']) => indexOf(part(spec)).unique.map(({ index }) => index);
  expect(names({ sku: 'a' })).toEqual(['metadata.name', 'metadata.uid', 'spec.sku']);
  expect(names({})).toEqual(['metadata.name', 'metadata.uid']);
  expect(names({ sku: 7 })).toEqual(['metadata.name', 'metadata.uid']);
});

test('a reference is by uid where it has the form of a uid of its target, else by name', () => {
  const spec = {
    supplier: 'acme',
    parent: 'par-0123456789abcdef',
    related: ['sup-0123456789abcdef', 'x', 'x', 7],
  };
  expect(indexOf(part(spec as Resource['spec']), { tenant: 'a' }).references).toEqual([
    { field: 'spec.supplier', kind: SUPPLIER, index: 'metadata.name', key: 'acme', scope: { tenant: 'a' } },
    {
      field: 'spec.parent',
      kind: PART,
      index: 'metadata.uid',
      key: 'par-0123456789abcdef',
      scope: { tenant: 'a' },
    },
    {
      field: 'spec.related',
      kind: PART,
      index: 'metadata.name',
      key: 'sup-0123456789abcdef',
      scope: { tenant: 'a' },
    },
    { field: 'spec.related', kind: PART, index: 'metadata.name', key: 'x', scope: { tenant: 'a' } },
  ]);
});

test('a string of more than 500 characters is reported and has no entry', () => {
  const long = 'x'.repeat(501);
  const { index, tooLong } = entriesOf(plan, stateOf(part({ sku: long, tags: [long, 'a'] })));
  expect(tooLong.map(({ version, path }) => `${version} ${path.join('.')}`)).toEqual([
    'v1 spec.sku',
    'v1 spec.tags',
  ]);
  expect(index.unique.map(({ index }) => index)).toEqual(['metadata.name', 'metadata.uid']);
  expect(index.fields.filter(({ index }) => index === 'spec.tags')).toEqual([
    { index: 'spec.tags', key: key('a') },
  ]);
  expect(entriesOf(plan, stateOf(part({ sku: '😀'.repeat(500) }))).tooLong).toEqual([]);
});

describe('the digest', () => {
  const digestOf = (all: KindDefinition[]) =>
    indexedKinds(all, plansOf(all)).find(({ kind }) => kind === PART)?.entries?.digest;
  const before = digestOf(kinds);
  const changed = (kind: string, change: Partial<KindDefinition>): KindDefinition[] =>
    kinds.map((each) => (each.kind === kind ? { ...each, ...change } : each));

  test('stays the same for the same declarations', () => {
    expect(digestOf([...kinds])).toBe(before);
  });

  const v1beta1 = plan.kind.versions['v1beta1'];
  test.each<[string, KindDefinition[]]>([
    ['a declaration', changed('Part', { data: { ...DATA.Part, unique: [] } })],
    [
      'the storage version',
      changed('Part', { storageVersion: 'v1beta1', data: { ...DATA.Part, unique: [] } }),
    ],
    [
      'the rules of a version',
      changed('Part', {
        versions: {
          ...plan.kind.versions,
          v1beta1: { ...v1beta1, converter: { ...v1beta1.converter!, rules: 'x' } },
        },
      }),
    ],
    ['how targets are found', changed('Supplier', { data: { isReferable: true } })],
  ])('changes with %s', (_, all) => {
    expect(digestOf(all)).not.toBe(before);
  });

  test('is absent for a kind without data', () => {
    const all = changed('Part', { data: undefined });
    expect(indexedKinds(all, plansOf(all)).find(({ kind }) => kind === PART)).toEqual({ kind: PART });
  });
});

describe('the indexes that are new since a digest', () => {
  const entriesIn = (all: KindDefinition[], name = PART) =>
    indexedKinds(all, plansOf(all)).find(({ kind }) => kind === name)!.entries!;
  const withData = (data: { Part?: KindData; Supplier?: KindData }): KindDefinition[] =>
    kinds.map((each) => ({ ...each, data: data[each.kind as 'Part'] ?? DATA[each.kind as 'Part'] }));
  const newSince = (before: KindDefinition[], after = kinds, name = PART) =>
    entriesIn(after, name).newSince!(entriesIn(before, name).digest);
  const NONE = { fields: [], unique: [], references: [] };

  test('are all of them for a kind without entries', () => {
    const { fields, unique, references } = entriesIn(kinds).newSince!(undefined)!;
    expect(fields).toContain('spec.sku');
    expect(unique).toEqual(['metadata.name', 'metadata.uid', 'spec.sku']);
    expect(references).toEqual(DATA.Part.references!.map(({ path }) => path.join('.')));
  });

  const { selectable, references } = DATA.Part;
  test.each<[string, { Part?: KindData; Supplier?: KindData }, object]>([
    ['nothing', {}, {}],
    ['a unique field', { Part: { ...DATA.Part, unique: [] } }, { unique: ['spec.sku'] }],
    [
      'a reference',
      { Part: { ...DATA.Part, references: references!.slice(1) } },
      { references: ['spec.supplier'] },
    ],
    [
      'a selectable field',
      { Part: { ...DATA.Part, selectable: { ...selectable, v1beta1: selectable!['v1beta1'].slice(1) } } },
      { fields: ['v1beta1:spec.code'] },
    ],
    ['an immutable field, which has no entries', { Part: { ...DATA.Part, immutable: [] } }, {}],
    [
      'what a deletion does',
      { Part: { ...DATA.Part, references: references!.map((each) => ({ ...each, onDelete: 'restrict' })) } },
      {},
    ],
  ])('are those of %s', (_, before, indexes) => {
    expect(newSince(withData(before))).toEqual({ ...NONE, ...indexes });
  });

  test.each([
    ['uids of a kind that is referred to for the first time', 'isReferable', 'metadata.uid'],
    ['unique names', 'uniqueNames', 'metadata.name'],
  ] as const)('are those of the %s', (_, declaration, index) => {
    const before = withData({ Supplier: { ...DATA.Supplier, [declaration]: undefined } });
    expect(newSince(before, kinds, SUPPLIER)).toEqual({ ...NONE, unique: [index] });
  });

  test.each<[string, KindDefinition[], KindDefinition[]]>([
    ['a field is no longer unique', kinds, withData({ Part: { ...DATA.Part, unique: [] } })],
    ['a reference is gone', kinds, withData({ Part: { ...DATA.Part, references: [] } })],
    ['targets are found otherwise', withData({ Supplier: { isReferable: true } }), kinds],
    ['another version is stored', kinds.map((each) => ({ ...each, storageVersion: 'v1beta1' })), kinds],
  ])('are unknown where %s', (_, before, after) => {
    const plain = (all: KindDefinition[]): KindDefinition[] =>
      all.map((each) =>
        each.storageVersion === 'v1' ? each : { ...each, data: { ...each.data, unique: [] } },
      );
    expect(newSince(plain(before), plain(after))).toBeUndefined();
  });

  test('are unknown after a service without indexes has written', () => {
    expect(entriesIn(kinds).newSince!('')).toBeUndefined();
  });
});
