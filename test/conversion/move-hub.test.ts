import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { moveHub } from '../../src/conversion/hub/move-hub';
import { allowances } from '../../src/conversion/reports/allowances';
import { loadProject } from '../../src/load/load-project';
import type { Json } from '../../src/model/project';
import { checkLaws } from '../../templates/laws/laws';
import { spokes, type UserFile } from './harness';

const FOLDER = join(__dirname, '../../fixtures/conversion');

/** Three versions with one string or other field each, the rules of the two spokes, and the shared types. */
function moved(...given: Parameters<typeof move>) {
  const { rules: found, problems } = move(...given);
  if (problems.length > 0) return problems.map(({ message }) => message);
  return Object.fromEntries([...found].map(([version, all]) => [version, all.map(({ rule }) => rule)]));
}

function move(fields: [v1: string, v2: string, v3: string], v2: string, v3: string, shared = '{}') {
  const rules = (text: string) => (parse(text) as Json[] | null) ?? [];
  const versions = Object.fromEntries(fields.map((spec, i) => [`v${i + 1}`, { spec: parse(spec) as Json }]));
  const group = {
    name: 'g.svc.dev',
    storageVersion: 'v1',
    versions: ['v1', 'v2', 'v3'],
    types: parse(shared) as Json,
    kinds: [{ name: 'Thing', versions }],
  };
  const { project } = loadProject('.', stringify({ name: 'p', groups: [group] }));
  const { kinds, types } = project.groups[0];
  const written: { [version: string]: Json[] } = { v1: [], v2: rules(v2), v3: rules(v3) };
  const all = kinds[0].versions.map((version) => ({ ...version, conversion: written[version.version] }));
  return moveHub(all, types, 'v1', 'v2');
}

const REQUIRED = '{ type: string, rules: [required] }';
const KEYED = `{ type: list, key: k, items: { type: object, fields: { k: ${REQUIRED}, n: integer } } }`;
const X = '{ type: object, fields: { x: string } }';
const listOf = (key: string, value: string) =>
  `{ type: list, key: ${key}, items: { type: object, fields: { ${key}: ${REQUIRED}, ${value}: string } } }`;
const map = (field: string) => `{ type: map, values: { type: object, fields: { ${field}: string } } }`;

const MOVES: { [name: string]: { given: Parameters<typeof moved>; want: unknown } } = {
  'no rules': {
    given: [['{ a: string }', '{ a: string }', '{ a: string }'], '', ''],
    want: { v1: [], v3: [] },
  },
  'a rename': {
    given: [
      ['{ a: string }', '{ b: string }', '{ a: string }'],
      '- rename: { hub: spec.a, spoke: spec.b }',
      '',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.b', spoke: 'spec.a' } }],
      v3: [{ rename: { hub: 'spec.b', spoke: 'spec.a' } }],
    },
  },
  'shared types of another name in each version': {
    given: [
      [
        '{ t: A, l: { type: list, items: A } }',
        '{ t: B, l: { type: list, items: B } }',
        '{ t: C, l: { type: list, items: C } }',
      ],
      '- rename: { hub: A.c, spoke: B.d }',
      '',
      '{ A: { c: string }, B: { d: string }, C: { c: string } }',
    ],
    want: {
      v1: [{ rename: { hub: 'B.d', spoke: 'A.c' } }],
      v3: [{ rename: { hub: 'B.d', spoke: 'C.c' } }],
    },
  },
  'the same, and rules below one of them': {
    given: [
      ['{ t: A }', '{ t: B }', '{ t: C }'],
      '- rename: { hub: A.m, spoke: B.n }',
      '- rename: { hub: "A.m{}.f", spoke: "C.m{}.g" }',
      `{ A: { m: ${map('f')} }, B: { n: ${map('f')} }, C: { m: ${map('g')} } }`,
    ],
    want: {
      v1: [{ rename: { hub: 'B.n', spoke: 'A.m' } }],
      v3: [{ rename: { hub: 'B.n{}.f', spoke: 'C.m{}.g' } }, { rename: { hub: 'B.n', spoke: 'C.m' } }],
    },
  },
  'a shared type that the new hub has under another name, without a rule': {
    given: [
      ['{ t: A }', '{ t: B }', '{ t: C }'],
      '',
      '- rename: { hub: A.c, spoke: C.d }',
      '{ A: { c: string }, B: { c: string, more: string }, C: { d: string } }',
    ],
    want: { v1: [], v3: [{ rename: { hub: 'B.c', spoke: 'C.d' } }] },
  },
  'one shared type that is two in another version': {
    given: [
      ['{ t: A, u: A }', '{ t: B, u: B }', '{ t: C, u: D }'],
      '- rename: { hub: A.c, spoke: B.d }',
      '- rename: { hub: A.c, spoke: D.e }',
      '{ A: { c: string }, B: { d: string }, C: { c: string }, D: { e: string } }',
    ],
    want: {
      v1: [{ rename: { hub: 'B.d', spoke: 'A.c' } }],
      v3: [{ rename: { hub: 'B.d', spoke: 'D.e' } }, { rename: { hub: 'B.d', spoke: 'C.c' } }],
    },
  },
  'one shared type that is two in the new hub': {
    given: [
      ['{ t: A, u: A }', '{ t: B, u: D }', '{ t: C, u: C }'],
      '- rename: { hub: A.c, spoke: B.d }\n- rename: { hub: A.c, spoke: D.e }',
      '- rename: { hub: A.c, spoke: C.f }',
      '{ A: { c: string }, B: { d: string }, C: { f: string }, D: { e: string } }',
    ],
    want: {
      v1: [{ rename: { hub: 'B.d', spoke: 'A.c' } }, { rename: { hub: 'D.e', spoke: 'A.c' } }],
      v3: [{ rename: { hub: 'B.d', spoke: 'C.f' } }, { rename: { hub: 'D.e', spoke: 'C.f' } }],
    },
  },
  'a shared type that is an object in another version': {
    given: [
      [
        '{ t: D }',
        '{ t: E }',
        '{ t: { type: object, fields: { a: { type: object, fields: { c: string } } } } }',
      ],
      '- rename: { hub: A.c, spoke: B.d }',
      '',
      '{ A: { c: string }, B: { d: string }, D: { a: A }, E: { a: B } }',
    ],
    want: {
      v1: [{ rename: { hub: 'B.d', spoke: 'A.c' } }],
      v3: [{ rename: { hub: 'spec.t.a.d', spoke: 'spec.t.a.c' } }],
    },
  },
  'defaults of shared types of another name in each version': {
    given: [
      ['{ t: A }', '{ t: B }', '{ t: C }'],
      '- default: { hub: A.r, value: x }\n- default: { spoke: B.s, value: y }',
      '- default: { hub: A.r, value: z }',
      `{ A: { c: string, r: ${REQUIRED} }, B: { c: string, s: ${REQUIRED} }, C: { c: string } }`,
    ],
    want: {
      v1: [{ default: { spoke: 'A.r', value: 'x' } }, { default: { hub: 'B.s', value: 'y' } }],
      v3: [{ default: { hub: 'B.s', value: 'y' } }],
    },
  },
  'a rename of a field for which another version has a default': {
    given: [
      [`{ a: ${REQUIRED} }`, `{ b: ${REQUIRED} }`, '{ a: string }'],
      '- rename: { hub: spec.a, spoke: spec.b }',
      '- default: { hub: spec.a, value: x }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.b', spoke: 'spec.a' } }],
      v3: [{ default: { hub: 'spec.b', value: 'x' } }, { rename: { hub: 'spec.b', spoke: 'spec.a' } }],
    },
  },
  'a field that another version took out of its element, under the name of the list': {
    given: [
      [`{ l: ${KEYED} }`, `{ m: ${KEYED} }`, '{ l: integer }'],
      '- rename: { hub: spec.l, spoke: spec.m }',
      '- rename: { hub: "spec.l[k=a].n", spoke: spec.l }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.m', spoke: 'spec.l' } }],
      v3: [{ rename: { hub: 'spec.m[k=a].n', spoke: 'spec.l' } }],
    },
  },
  'a field of an object whose name another object has in another version': {
    given: [
      [`{ o: ${X}, q: ${X} }`, `{ p: string, q: ${X} }`, `{ o: ${X} }`],
      '- rename: { hub: spec.o.x, spoke: spec.p }',
      '- rename: { hub: spec.q, spoke: spec.o }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.p', spoke: 'spec.o.x' } }],
      v3: [{ rename: { hub: 'spec.q', spoke: 'spec.o' } }],
    },
  },
  'a default of a field that the new hub casts, for both hubs': {
    given: [
      [`{ a: ${REQUIRED} }`, '{ a: { type: integer, rules: [required] } }', '{}'],
      '- cast: { hub: spec.a, spoke: spec.a, otherwise: { spoke: 0 } }',
      '- default: { hub: spec.a, value: "80", hubs: { v2: [{ default: { hub: spec.a, value: 80 } }] } }',
    ],
    want: {
      v1: [{ cast: { hub: 'spec.a', spoke: 'spec.a', otherwise: { hub: 0 } } }],
      v3: [
        {
          default: { hub: 'spec.a', value: 80, hubs: { v1: [{ default: { hub: 'spec.a', value: '80' } }] } },
        },
      ],
    },
  },
  'maps that became lists with other keys': {
    given: [
      [
        '{ m: { type: map, values: string } }',
        `{ m: ${listOf('k', 'v')} }`,
        `{ l: ${listOf('name', 'value')} }`,
      ],
      '- index: { hub: spec.m, spoke: spec.m }',
      '- index: { hub: spec.m, spoke: spec.l }',
    ],
    want: {
      v1: [{ index: { hub: 'spec.m', spoke: 'spec.m' } }],
      v3: [
        {
          rename: {
            hub: 'spec.m',
            spoke: 'spec.l',
            hubs: { v1: [{ index: { hub: 'spec.m', spoke: 'spec.l' } }] },
          },
        },
        { rename: { hub: 'spec.m[].k', spoke: 'spec.l[].name', hubs: { v1: [] } } },
        { rename: { hub: 'spec.m[].v', spoke: 'spec.l[].value', hubs: { v1: [] } } },
      ],
    },
  },
  'a string that became an integer, and a number': {
    given: [
      ['{ a: string }', '{ a: integer }', '{ a: number }'],
      '- cast: { hub: spec.a, spoke: spec.a, format: duration, otherwise: { spoke: 0 } }',
      '- cast: { hub: spec.a, spoke: spec.a, format: duration, otherwise: { spoke: 0 } }',
    ],
    want: {
      v1: [{ cast: { hub: 'spec.a', spoke: 'spec.a', format: 'duration', otherwise: { hub: 0 } } }],
      v3: [
        {
          scale: {
            hub: 'spec.a',
            spoke: 'spec.a',
            factor: 1,
            hubs: {
              v1: [{ cast: { hub: 'spec.a', spoke: 'spec.a', format: 'duration', otherwise: { spoke: 0 } } }],
            },
          },
        },
      ],
    },
  },
  'a field of a shared type that the new hub lacks': {
    given: [
      ['{ t: A }', '{ t: B }', '{ t: A }'],
      '',
      '',
      '{ A: { c: string, d: string }, B: { c: string } }',
    ],
    want: ['A.d is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'the same, where the third version has more fields': {
    given: [
      [
        '{ l: { type: list, items: A } }',
        '{ l: { type: list, items: B } }',
        '{ l: { type: list, items: A }, x: string }',
      ],
      '',
      '',
      '{ A: { c: string, d: string }, B: { c: string } }',
    ],
    want: ['A.d is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'the same, where the new hub has an object of its own': {
    given: [
      ['{ t: A }', '{ t: { type: object, fields: { c: string } } }', '{ t: C }'],
      '',
      '',
      '{ A: { c: string, d: string }, C: { c: string, d: string, x: string } }',
    ],
    want: ['spec.t.d is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'the same, where the third version has an object of its own': {
    given: [
      ['{ t: A }', '{ t: B }', '{ t: { type: object, fields: { d: string } } }'],
      '',
      '',
      '{ A: { c: string, d: string }, B: { c: string } }',
    ],
    want: ['A.d is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'a field of a shared type that others have elsewhere': {
    given: [
      ['{ t: A, m: A, l: { type: list, items: A } }', '{ t: A }', '{ t: A, x: string }'],
      '',
      '',
      '{ A: { c: string } }',
    ],
    want: { v1: [], v3: [] },
  },
  'a default of both spokes for one field': {
    given: [
      [
        '{ a: string, n: { type: integer, rules: [required] } }',
        '{ a: string, m: integer }',
        '{ a: string }',
      ],
      `- rename: { hub: spec.n, spoke: spec.m }
- default: { hub: spec.n, value: 1 }
- default: { spoke: spec.m, value: 2 }`,
      '- default: { hub: spec.n, value: 3 }',
    ],
    want: {
      v1: [
        { rename: { hub: 'spec.m', spoke: 'spec.n' } },
        { default: { spoke: 'spec.n', value: 1 } },
        { default: { hub: 'spec.m', value: 2 } },
      ],
      v3: [{ default: { hub: 'spec.m', value: 3 } }],
    },
  },
  'two renames': {
    given: [
      ['{ a: string }', '{ b: string }', '{ c: string }'],
      '- rename: { hub: spec.a, spoke: spec.b }',
      '- rename: { hub: spec.a, spoke: spec.c }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.b', spoke: 'spec.a' } }],
      v3: [{ rename: { hub: 'spec.b', spoke: 'spec.c' } }],
    },
  },
  'a renamed object, a field in it': {
    given: [
      [
        '{ o: { type: object, fields: { x: string } } }',
        '{ p: { type: object, fields: { x: string } } }',
        '{ o: { type: object, fields: { y: string } } }',
      ],
      '- rename: { hub: spec.o, spoke: spec.p }',
      '- rename: { hub: spec.o.x, spoke: spec.o.y }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.p', spoke: 'spec.o' } }],
      v3: [
        { rename: { hub: 'spec.p.x', spoke: 'spec.o.y' } },
        { rename: { hub: 'spec.p', spoke: 'spec.o' } },
      ],
    },
  },
  'a field in an object that the other renames': {
    given: [
      [
        '{ o: { type: object, fields: { x: { type: string, rules: ["oneof=a b"] } } } }',
        '{ o: { type: object, fields: { x: { type: integer, rules: ["oneof=1 2"] } } } }',
        '{ q: { type: object, fields: { x: { type: string, rules: ["oneof=a b"] } } } }',
      ],
      '- map: { hub: spec.o.x, spoke: spec.o.x, values: { a: 1, b: 2 } }',
      '- rename: { hub: spec.o, spoke: spec.q }',
    ],
    want: {
      v1: [{ map: { hub: 'spec.o.x', spoke: 'spec.o.x', values: { 1: 'a', 2: 'b' } } }],
      v3: [
        { rename: { hub: 'spec.o', spoke: 'spec.q' } },
        { map: { hub: 'spec.o.x', spoke: 'spec.q.x', values: { 1: 'a', 2: 'b' } } },
      ],
    },
  },
  'two scales': {
    given: [
      ['{ ms: integer }', '{ s: integer }', '{ min: integer }'],
      '- scale: { hub: spec.ms, spoke: spec.s, factor: 1000 }',
      '- scale: { hub: spec.ms, spoke: spec.min, factor: 60000 }',
    ],
    want: {
      v1: [{ scale: { hub: 'spec.s', spoke: 'spec.ms', factor: 0.001 } }],
      v3: [{ scale: { hub: 'spec.s', spoke: 'spec.min', factor: 60 } }],
    },
  },
  'two maps': {
    given: [
      [
        '{ f: { type: string, rules: ["oneof=a b c"] } }',
        '{ f: { type: integer, rules: ["oneof=1 2"] } }',
        '{ f: boolean }',
      ],
      '- map: { hub: spec.f, spoke: spec.f, values: { a: 1, b: 1, c: 2 } }',
      '- map: { hub: spec.f, spoke: spec.f, values: { a: true, b: true, c: false } }',
    ],
    want: {
      v1: [{ map: { hub: 'spec.f', spoke: 'spec.f', values: { 1: ['a', 'b'], 2: 'c' } } }],
      v3: [{ map: { hub: 'spec.f', spoke: 'spec.f', values: { 1: true, 2: false } } }],
    },
  },
  'a join': {
    given: [
      ['{ a: string, b: string }', '{ ab: string }', '{ a: string, c: string }'],
      '- join: { hub: [spec.a, spec.b], spoke: spec.ab, separator: " " }',
      '- rename: { hub: spec.b, spoke: spec.c }',
    ],
    want: ['the rules rename and join for spec.b cannot be combined'],
  },
  'two casts, with the rule between the two versions': {
    given: [
      ['{ t: string }', '{ t: integer }', '{ s: integer }'],
      '- cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } }',
      `- cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 }, hubs: { v2: [{ rename: { hub: spec.t, spoke: spec.s } }], v4: [] } }`,
    ],
    want: {
      v1: [{ cast: { hub: 'spec.t', spoke: 'spec.t', otherwise: { hub: 0 } } }],
      v3: [
        {
          rename: {
            hub: 'spec.t',
            spoke: 'spec.s',
            hubs: {
              v4: [],
              v1: [{ cast: { hub: 'spec.t', spoke: 'spec.s', format: 'duration', otherwise: { spoke: 0 } } }],
            },
          },
        },
      ],
    },
  },
  'two casts': {
    given: [
      ['{ t: string }', '{ t: integer }', '{ s: integer }'],
      '- cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } }',
      '- cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 } }',
    ],
    want: ['the rules cast and cast for spec.t cannot be combined'],
  },
  'a rule for every element, and one for an element': {
    given: [
      [
        '{ l: { type: list, key: k, items: { type: object, fields: { k: string, n: integer } } } }',
        '{ l: { type: list, key: k, items: { type: object, fields: { k: string, n: integer } } } }',
        '{ l: { type: list, key: k, items: { type: object, fields: { k: string, n: integer } } }, e: integer }',
      ],
      '- scale: { hub: "spec.l[].n", spoke: "spec.l[].n", factor: 10 }',
      '- rename: { hub: "spec.l[k=a].n", spoke: spec.e }',
    ],
    want: ['the rules rename and scale for spec.l[k=a].n cannot be combined'],
  },
  'an element by a key that the new hub has otherwise': {
    given: [
      [
        '{ l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: ["oneof=a b"] }, n: integer } } } }',
        '{ l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: ["oneof=x y"] }, n: integer } } } }',
        '{ l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: ["oneof=a b"] }, n: integer } } }, e: integer }',
      ],
      '- map: { hub: "spec.l[].k", spoke: "spec.l[].k", values: { a: x, b: y } }',
      '- rename: { hub: "spec.l[k=a].n", spoke: spec.e }',
    ],
    want: ['the rules rename and map for spec.l[k=a].n cannot be combined'],
  },
  'renames inside a map that another version has as a list': {
    given: [
      [
        '{ m: { type: map, values: { type: object, fields: { a: string, b: integer, c: string } } } }',
        '{ n: { type: map, values: { type: object, fields: { x: string, y: integer, c: string } } } }',
        '{ l: { type: list, key: id, items: { type: object, fields: { id: string, a: string, s: integer, c: string } } } }',
      ],
      `- rename: { hub: spec.m, spoke: spec.n }
- rename: { hub: "spec.m{}.a", spoke: "spec.n{}.x" }
- rename: { hub: "spec.m{}.b", spoke: "spec.n{}.y" }`,
      '- index: { hub: spec.m, spoke: spec.l }\n- scale: { hub: "spec.m{}.b", spoke: "spec.l[].s", factor: 60 }',
    ],
    want: {
      v1: [
        { rename: { hub: 'spec.n', spoke: 'spec.m' } },
        { rename: { hub: 'spec.n{}.x', spoke: 'spec.m{}.a' } },
        { rename: { hub: 'spec.n{}.y', spoke: 'spec.m{}.b' } },
      ],
      v3: [
        { index: { hub: 'spec.n', spoke: 'spec.l' } },
        { scale: { hub: 'spec.n{}.y', spoke: 'spec.l[].s', factor: 60 } },
        { rename: { hub: 'spec.n{}.x', spoke: 'spec.l[].a' } },
      ],
    },
  },
  'renames inside a list that another version has the first element of': {
    given: [
      [
        '{ l: { type: list, items: { type: object, fields: { a: string } } } }',
        '{ l: { type: list, items: { type: object, fields: { b: string } } } }',
        '{ o: { type: object, fields: { a: string } } }',
      ],
      '- rename: { hub: "spec.l[].a", spoke: "spec.l[].b" }',
      '- wrap: { hub: spec.l, spoke: spec.o }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.l[].b', spoke: 'spec.l[].a' } }],
      v3: [
        { wrap: { hub: 'spec.l', spoke: 'spec.o' } },
        { rename: { hub: 'spec.l[].b', spoke: 'spec.o.a' } },
      ],
    },
  },
  'renames inside an object that another version has a list of': {
    given: [
      [
        '{ o: { type: object, fields: { a: string } } }',
        '{ o: { type: object, fields: { b: string } } }',
        '{ l: { type: list, items: { type: object, fields: { a: string } } } }',
      ],
      '- rename: { hub: spec.o.a, spoke: spec.o.b }',
      '- wrap: { hub: spec.o, spoke: spec.l }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.o.b', spoke: 'spec.o.a' } }],
      v3: [
        { wrap: { hub: 'spec.o', spoke: 'spec.l' } },
        { rename: { hub: 'spec.o.b', spoke: 'spec.l[].a' } },
      ],
    },
  },
  'a default of a field that another version converts': {
    given: [
      ['{ ms: integer }', '{ t: integer }', '{ s: integer }'],
      '- rename: { hub: spec.ms, spoke: spec.t }\n- default: { hub: spec.ms, value: 5 }',
      '- scale: { hub: spec.ms, spoke: spec.s, factor: 1000 }',
    ],
    want: {
      v1: [{ rename: { hub: 'spec.t', spoke: 'spec.ms' } }, { default: { spoke: 'spec.ms', value: 5 } }],
      v3: [{ scale: { hub: 'spec.t', spoke: 'spec.s', factor: 1000 } }],
    },
  },
  'defaults and drops': {
    given: [
      [
        '{ a: { type: string, rules: [required] } }',
        '{ n: { type: string, rules: [required] }, gone: string }',
        '{ a: string }',
      ],
      '- default: { hub: spec.a, value: x }\n- default: { spoke: spec.n, value: y }\n- drop: { spoke: spec.gone }',
      '- default: { hub: spec.a, value: z }',
    ],
    want: ['spec.a is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'a default of what the new hub lacks, and nobody else has': {
    given: [
      ['{ a: string, m: { type: string, rules: [required] } }', '{ a: string }', '{ a: string }'],
      '- default: { hub: spec.m, value: x }',
      '- default: { hub: spec.m, value: y }',
    ],
    want: { v1: [{ default: { spoke: 'spec.m', value: 'x' } }], v3: [] },
  },
  'what a copy of the old hub shares with it': {
    given: [['{ a: string, m: string }', '{ a: string }', '{ a: string, m: string }'], '', ''],
    want: ['spec.m is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'an object of a shared type that the new hub lacks': {
    given: [
      ['{ a: string, m: New }', '{ a: string }', '{ a: string, m: Old }'],
      '',
      '- rename: { hub: New.x, spoke: Old.y }',
      '{ New: { x: string, z: string }, Old: { y: string, z: string } }',
    ],
    want: ['spec.m is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'a list of a shared type that the new hub lacks': {
    given: [
      ['{ m: { type: list, items: New } }', '{}', '{ m: { type: list, items: Old } }'],
      '',
      '- rename: { hub: New.x, spoke: Old.y }',
      '{ New: { x: string }, Old: { y: string } }',
    ],
    want: ['spec.m is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  'a default of what the new hub lacks': {
    given: [
      [
        '{ a: string, m: { type: string, rules: [required] } }',
        '{ a: string }',
        '{ a: string, n: { type: string, rules: [required] } }',
      ],
      '- default: { hub: spec.m, value: x }',
      '- rename: { hub: spec.m, spoke: spec.n }',
    ],
    want: ['spec.m is in v1 and v3, not in v2: with v2 as the storage version the two no longer share it'],
  },
  custom: {
    given: [
      ['{ a: string }', '{ b: string }', '{}'],
      '- custom: { hub: [spec.a], spoke: [spec.b], name: ab }',
      '',
    ],
    want: ['the rule custom ab has no functions for the other direction'],
  },
  'a string joined from two, and from a list': {
    given: [
      ['{ a: string }', '{ b: string, c: string }', '{ a: { type: list, items: string } }'],
      '- join: { hub: spec.a, spoke: [spec.b, spec.c], separator: " " }',
      '- join: { hub: spec.a, spoke: spec.a, separator: " " }',
    ],
    want: ['the rules join and join for spec.a cannot be combined'],
  },
  'a cast to text': {
    given: [['{ a: integer }', '{ a: string }', '{}'], '- cast: { hub: spec.a, spoke: spec.a }', ''],
    want: ['the inverse of a cast to a string needs a value for strings that cannot be parsed'],
  },
  'wrap, index and cast from text': {
    given: [
      [
        '{ l: { type: list, items: string }, m: { type: map, values: string }, t: string }',
        '{ l: string, m: { type: list, key: k, items: { type: object, fields: { k: string, v: string } } }, t: integer }',
        '{}',
      ],
      '- wrap: { hub: spec.l, spoke: spec.l }\n- index: { hub: spec.m, spoke: spec.m }\n- cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } }',
      '',
    ],
    want: {
      v1: [
        { wrap: { hub: 'spec.l', spoke: 'spec.l' } },
        { index: { hub: 'spec.m', spoke: 'spec.m' } },
        { cast: { hub: 'spec.t', spoke: 'spec.t', otherwise: { hub: 0 } } },
      ],
      v3: [],
    },
  },
};

test('a field of the status that the new hub lacks is reported at its status', () => {
  const { project } = loadProject(
    '.',
    stringify({
      name: 'p',
      groups: [
        {
          storageVersion: 'v1',
          versions: ['v1', 'v2', 'v3'],
          kinds: [
            {
              name: 'Thing',
              versions: {
                v1: { spec: {}, status: { phase: 'string' } },
                v2: { spec: {}, status: { ready: 'boolean' } },
                v3: { spec: {}, status: { phase: 'string' } },
              },
            },
          ],
        },
      ],
    }),
  );
  const { kinds, types } = project.groups[0];
  expect(moveHub(kinds[0].versions, types, 'v1', 'v2').problems).toMatchObject([
    { version: 'v2', path: ['status'] },
  ]);
});

test.each([
  ['in ascending order', '[1, 2]', []],
  ['in another', '[2, 1]', [expect.stringContaining('in ascending order')]],
])('whole numbers that stand for one value, %s', (_, numbers, hints) => {
  const fields: Parameters<typeof move>[0] = [
    '{ a: { type: string, rules: [oneof=x y] } }',
    '{ a: { type: integer, rules: [oneof=1 2 3] } }',
    '{}',
  ];
  const rules = `[{ map: { hub: spec.a, spoke: spec.a, values: { x: ${numbers}, y: 3 } } }]`;
  expect(move(fields, rules, '[]').problems.map(({ hint }) => hint)).toEqual(hints);
});

test.each(Object.entries(MOVES))('moving the hub: %s', (_, { given, want }) => {
  expect(moved(...given)).toEqual(want);
});

const LISTS = '{ type: list, items: { type: object, fields: { ip: string, primary: boolean } } }';
const MAPS = '{ type: map, values: { type: object, fields: { value: string, owner: string } } }';
const STRINGS = '{ type: list, items: string }';
const LABELS = '{ type: map, values: string }';

const REFUSED: { [name: string]: Parameters<typeof move> } = {
  'a list of strings, of which the new hub made objects': [
    [`{ a: ${STRINGS} }`, `{ a: ${LISTS} }`, '{ tags: string }'],
    '- rename: { hub: "spec.a[]", spoke: "spec.a[].ip" }',
    '- join: { hub: spec.a, spoke: spec.tags, separator: "," }',
  ],
  'an entry of a map of strings, of which the new hub made objects': [
    [`{ labels: ${LABELS} }`, `{ labels: ${MAPS} }`, `{ gold: string, labels: ${LABELS} }`],
    '- rename: { hub: "spec.labels{}", spoke: "spec.labels{}.value" }',
    '- rename: { hub: "spec.labels{gold}", spoke: spec.gold }',
  ],
  'a rule below a shared type, of which the new hub made an object of its own': [
    ['{ t: A }', '{ t: { type: object, fields: { d: string } } }', '{ t: C }'],
    '- rename: { hub: spec.t.c, spoke: spec.t.d }',
    '- rename: { hub: A.c, spoke: C.f }',
    '{ A: { c: string }, C: { f: string } }',
  ],
  'a default for a field that the new hub casts': [
    [`{ a: ${REQUIRED} }`, '{ a: { type: integer, rules: [required] } }', '{}'],
    '- cast: { hub: spec.a, spoke: spec.a, otherwise: { spoke: 0 } }',
    '- default: { hub: spec.a, value: "80" }',
  ],
  'a list that becomes a string, and the first of its elements': [
    [`{ l: ${STRINGS} }`, '{ l: string }', '{ l: integer }'],
    '- join: { hub: spec.l, spoke: spec.l, separator: "," }',
    '- wrap: { hub: spec.l, spoke: spec.l }\n- cast: { hub: "spec.l[]", spoke: spec.l, otherwise: { spoke: 0 } }',
  ],
};

test.each(Object.entries(REFUSED))('the hints for %s are accepted', (_, [fields, v2, v3, shared]) => {
  const { problems } = move(fields, v2, v3, shared);
  const rules = parse(v3) as { [name: string]: { [member: string]: Json } }[];
  for (const { hint, path } of problems) {
    const [, hubs] = /`hubs: (.*)`/.exec(hint!)!;
    const index = path[1] as number;
    const [name] = Object.keys(rules[index]);
    const names = `name: convert${index}, inverse: invert${index}`;
    rules[index][name]['hubs'] = parse(
      hubs
        .replace('name: …', names)
        .replace('value: …', 'value: 80')
        .replace('[ … ]', '[{ rename: { hub: spec.t.d, spoke: spec.t.f } }]'),
    ) as Json;
  }
  expect(problems.length).toBeGreaterThan(0);
  expect(move(fields, v2, stringify(rules), shared).problems).toEqual([]);
});

test.each(readdirSync(FOLDER))('%s keeps the laws after the hub moved, or says why it cannot', (name) => {
  const yaml = readFileSync(join(FOLDER, name, 'project.yaml'), 'utf8');
  const document = parse(yaml) as {
    groups: [
      { storageVersion: string; kinds: [{ versions: { [version: string]: { conversion?: Json[] } } }] },
    ];
  };
  const [group] = document.groups;
  const { project } = loadProject('.', yaml);
  const [{ kinds, types }] = project.groups;
  const to = kinds[0].versions.find(({ version }) => version !== group.storageVersion)!.version;
  const { rules, problems } = moveHub(kinds[0].versions, types, group.storageVersion, to);
  expect({ name, problems: problems.map(({ message }) => message) }).toMatchSnapshot();
  if (problems.length > 0) return;
  const { versions } = group.kinds[0];
  delete versions[to].conversion;
  for (const [version, written] of rules) versions[version].conversion = written.map(({ rule }) => rule);
  group.storageVersion = to;
  const file = join(FOLDER, name, 'kind.ts');
  const user: UserFile = existsSync(file) ? require(file) : {};
  const all = [...spokes(stringify(document), user).values()];
  checkLaws(
    all[0].hub,
    all.map(({ spoke, conversion, converter }) => ({
      fields: spoke,
      converter,
      ...allowances(conversion.plan!),
    })),
    100,
  );
});
