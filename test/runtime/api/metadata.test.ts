import {
  checkEnvelope,
  type ClientMetadata,
  newMetadata,
  nextMetadata,
  readMetadata,
} from '../../../templates/runtime/api/request/metadata';
import { below } from '../../../templates/runtime/model/fragment';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { Failure } from '../../../templates/runtime/model/problem';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { outcome } from '../support/outcome';

const read = (value: Json | undefined): [ClientMetadata, string[]] => {
  const failures: Failure[] = [];
  const metadata = readMetadata(value, failures, ['name']);
  return [metadata, failures.map(({ pointer, rule }) => `${pointer} ${rule}`)];
};

test('of many failures there are as many as a response has', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`label${index}`, 1]));
  for (const metadata of [many, { annotations: many }]) expect(read(metadata)[1]).toHaveLength(100);
  const failures: Failure[] = [];
  checkEnvelope({} as KindDefinition, many, failures);
  expect(failures).toHaveLength(100);
});

const labels = (count: number): { [key: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));

describe('what a client sent', () => {
  test.each<[Json | undefined, ClientMetadata, string[]]>([
    [undefined, {}, []],
    [null, {}, []],
    [{}, {}, []],
    [{ name: 'a' }, { name: 'a' }, []],
    [{ name: '' }, { name: '' }, []],
    [{ name: null, labels: null, annotations: null }, {}, []],
    [{ labels: { a: 'b' }, annotations: {} }, { labels: { a: 'b' }, annotations: {} }, []],
    [{ uid: 1, createdAt: [], updatedAt: {}, generation: 'x' }, {}, []],
    ['x', {}, ['/metadata type']],
    [[], {}, ['/metadata type']],
    [{ name: 1 }, {}, ['/metadata/name type']],
    [{ labels: ['a'] }, {}, ['/metadata/labels type']],
    [
      { labels: { 'a/b~c': 1, d: 'e', f: null } },
      { labels: { d: 'e' } },
      ['/metadata/labels/a~1b~0c type', '/metadata/labels/f type'],
    ],
    [{ label: {} }, {}, ['/metadata/label unknown']],
    [{ constructor: 'x' }, {}, ['/metadata/constructor unknown']],
  ])('%j', (value, metadata, failures) => {
    expect(read(value)).toEqual([metadata, failures]);
  });

  test('1,000 labels, and any number of annotations', () => {
    expect(read({ labels: labels(1_000), annotations: labels(1_001) })[1]).toEqual([]);
    expect(outcome(() => read({ labels: labels(1_001) }))).toBe(400);
  });
});

test.each<[JsonObject, string[]]>([
  [{ apiVersion: 'v1', kind: 'A', metadata: {}, spec: {}, status: {} }, []],
  [{ Spec: {} }, ['/Spec unknown field "Spec"; did you mean "spec"?']],
  [{ other: 1, 'a/b': 2 }, ['/other unknown field "other"', '/a~1b unknown field "a/b"']],
])('members of an envelope: %j', (body, want) => {
  const failures: Failure[] = [];
  checkEnvelope({} as KindDefinition, body, failures);
  expect(failures.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(want);
});

test.each([
  ['', ''],
  ['a', 'a'],
  ['a/b', 'a~1b'],
  ['~', '~0'],
  ['~1', '~01'],
])('%j in a pointer is %j', (name, want) => {
  expect(below('/labels', name)).toBe(`/labels/${want}`);
});

describe('what the server adds', () => {
  const created = Date.UTC(2030, 0, 31, 12, 0, 0, 5);
  const time = '2030-01-31T12:00:00.005Z';

  test('to a new resource', () => {
    expect(newMetadata({}, 'dev-1', created)).toEqual({
      name: 'dev-1',
      uid: 'dev-1',
      createdAt: time,
      updatedAt: time,
      generation: 1,
    });
    expect(newMetadata({ name: '', labels: { a: 'b' }, annotations: {} }, 'dev-1', created)).toEqual({
      name: '',
      uid: 'dev-1',
      createdAt: time,
      updatedAt: time,
      generation: 1,
      labels: { a: 'b' },
    });
  });

  test.each<[client: ClientMetadata, specChanged: boolean, later: number, want: object]>([
    [{}, false, 0, { name: 'n' }],
    [{ name: 'm' }, false, 1, { name: 'm', updatedAt: '2030-01-31T12:00:00.006Z' }],
    [{}, true, 0, { name: 'n', generation: 2 }],
    [{ labels: { a: 'b' } }, false, 0, { name: 'n', labels: { a: 'b' } }],
    [{ labels: {} }, false, 0, { name: 'n' }],
    // A clock that steps back
    [{}, true, -86_400_000, { name: 'n', generation: 2 }],
  ])('after a write: %j, spec changed %s, %d ms later', (client, specChanged, later, want) => {
    const current = { metadata: newMetadata({ name: 'n' }, 'dev-1', created) } as Resource;
    expect(nextMetadata(current, client, specChanged, created + later)).toEqual({
      uid: 'dev-1',
      createdAt: time,
      updatedAt: time,
      generation: 1,
      ...want,
    });
  });
});
