import { loadProject } from '../../../src/load/load-project';
import { mapAsList } from '../../../templates/runtime/conversion/collections/indexes';
import { listOf } from '../../../templates/runtime/conversion/collections/lists';
import { copy } from '../../../templates/runtime/conversion/lenses/lens';
import { from } from '../../../templates/runtime/conversion/objects/sources';
import { yamlDocuments } from '../../../templates/runtime/files/yaml-documents';
import { removeFields } from '../../../templates/runtime/kubernetes/apply/merge';
import { applyConflict } from '../../../templates/runtime/kubernetes/ownership/conflict';
import { Places } from '../../../templates/runtime/kubernetes/ownership/places';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { HubState } from '../../../templates/runtime/model/kinds/versioning';
import { formats } from '../../../templates/runtime/model/rules/formats';
import type { Json, Schema } from '../../../templates/runtime/model/schema';
import { orphanedOf, withOrphaned } from '../../../templates/runtime/versions/orphaned-fields';
import { growth, LINEAR } from '../../support/growth';
import { mountedKinds } from '../support/harness';

// The time that a service takes grows linearly with the size of a request.

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const KEYED: Schema = {
  type: 'array',
  'x-list-key': 'k',
  items: { type: 'object', properties: { k: { type: 'integer' }, a: {}, b: {} } },
};

const CASES: { [name: string]: [size: number, prepare: (size: number) => () => unknown] } = {
  'a URL with distinct letters outside ASCII': [
    2_500,
    (size) => {
      const host = String.fromCodePoint(...numbers(size).map((index) => 0x4e00 + ((index * 7_919) % 20_000)));
      return () => formats.url(`http://${host}.example/`);
    },
  ],
  'YAML with many keys in one map': [
    4_000,
    (size) => {
      const text = numbers(size)
        .map((index) => `k${index}: a\n`)
        .join('');
      return () => yamlDocuments(text);
    },
  ],
  'YAML with many mistakes in one line': [
    4_000,
    (size) => {
      const text = '"a" '.repeat(size);
      return () => yamlDocuments(text);
    },
  ],
  'orphaned fields of elements with keys': [
    2_000,
    (size) => {
      const elements = (name: string): Json[] => numbers(size).map((k) => ({ k, [name]: 'x' }));
      const [now, old] = [elements('a'), elements('b')];
      const shape = { schema: KEYED, types: {} };
      return () => withOrphaned(now, orphanedOf(now, old, shape), shape);
    },
  ],
  'orphaned fields of elements without keys': [
    2_000,
    (size) => {
      const elements = (name: string): Json[] => numbers(size).map((k) => ({ k, [name]: 'x' }));
      const shape = { schema: { ...KEYED, 'x-list-key': undefined }, types: {} };
      return () => {
        const now = elements('a');
        return withOrphaned(now, orphanedOf(elements('a'), elements('b'), shape), shape);
      };
    },
  ],
  'the places of the elements of a list that is a map': [
    1_000,
    (size) => {
      const lens = mapAsList('k', { b: from('a') });
      const map = Object.fromEntries(numbers(size).map((index) => [`k${index}`, { a: 'x' }]));
      const list = lens.get(map, undefined);
      return () => Object.keys(map).map((key) => lens.locate([key, 'a'], map, list));
    },
  ],
  'the places of the elements of a list of which some are shown elsewhere': [
    1_000,
    (size) => {
      const lens = listOf({ hubKey: 'k', spokeKey: 'k', except: [0] }, { k: copy, b: from('a') });
      const hub = numbers(size).map((k) => ({ k, a: 'x' }));
      const list = lens.get(hub, undefined);
      return () => hub.map((_, index) => lens.locate([String(index), 'a'], hub, list));
    },
  ],
  'a conflict about many fields': [
    2_500,
    (size) => {
      const owner = {
        manager: 'a',
        operation: 'Apply',
        part: 'spec',
        time: '',
        fields: new Set<string>(),
      } as const;
      const conflicts = numbers(size).map((index) => ({ owner, pointer: `/spec/config/k${index}` }));
      return () => applyConflict('example.svc.dev/v1', conflicts);
    },
  ],
  'elements that are applied no more': [
    2_500,
    (size) => {
      const list: Json[] = numbers(size).map((k) => ({ k }));
      const pointers = numbers(size).map((k) => `/list/~k:{"k":${k}}`);
      return () => removeFields({ list: [...list] }, pointers, {});
    },
  ],
  'owners of fields that another version has': [
    1_000,
    (size) => {
      const { kind, state } = ownedThing(size);
      const noted = numbers(size).map((index) => `v2/spec/extra/k${index}`);
      return () => new Places(kind, state, 'v1', 'spec').currentIds(noted);
    },
  ],
  'owners of elements in a version that shows a map as a list': [
    1_000,
    (size) => {
      const { kind, state } = ownedThing(size);
      return () => new Places(kind, state, 'v2', 'spec');
    },
  ],
};

const THINGS = `
name: growth
groups:
  - name: example.svc.dev
    versions: [v1, v2]
    storageVersion: v1
    kinds:
      - name: Thing
        versions:
          v1:
            spec:
              config: { type: map, values: string }
              ports: { type: map, values: { type: object, fields: { number: integer, protocol: string } } }
          v2:
            spec:
              config: { type: map, values: string }
              extra: { type: map, values: string }
              ports:
                type: list
                key: name
                items:
                  type: object
                  fields: { name: { type: string, rules: [required] }, number: integer, protocol: string }
            conversion:
              - index: { hub: spec.ports, spoke: spec.ports }
`;

/** A kind with two versions, and a resource of it with so many entries. */
function ownedThing(size: number): { kind: KindDefinition; state: HubState } {
  const [{ kind }] = mountedKinds(loadProject('/', THINGS).project);
  const entries = <Value>(value: Value) =>
    Object.fromEntries(numbers(size).map((index) => [`k${index}`, value]));
  const metadata = { name: 'a', uid: 'thi-0123456789abcdef', createdAt: '', updatedAt: '', generation: 1 };
  const spec = { config: entries('x'), ports: entries({ number: 1, protocol: 'tcp' }) };
  const hub = { apiVersion: 'example.svc.dev/v1', kind: 'Thing', metadata, spec };
  return { kind, state: { hub, preserved: {} } };
}

test.each(Object.entries(CASES))('time linear in its size: %s', (_, [size, prepare]) => {
  expect(growth(size, prepare)).toBeLessThan(LINEAR);
});
