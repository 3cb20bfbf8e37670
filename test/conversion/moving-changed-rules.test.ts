import { addVersion } from '../../src/edit/scaffold';
import type { JsonObject } from '../../templates/runtime/model/schema';
import { load, migrated, read, type Rows, Served, texts, write } from './moving';

// A hub that moves after the rules of a version have changed, without a write in between: every version reads after the
// move what it read before it, not what it read by the rules of the last write.

interface Case {
  hub: string;
  /** The version v1beta1 at the last write. */
  written: Spoke;
  /** The version v1beta1 when the hub moves. */
  moved: Spoke;
  writes: [version: string, spec: JsonObject][];
  /** The spec of v1beta1 when the hub moves. */
  reads: JsonObject;
}

interface Spoke {
  spec: string;
  rules: string[];
}

const RENAMED = ['rename: { hub: spec.title, spoke: spec.label }'];
const scaled = (factor: number) => [`scale: { hub: spec.ms, spoke: spec.sec, factor: ${factor} }`];
const LIMITS =
  '{ limits: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: integer } } }, sec: integer }';
const INDEXED = [
  'index: { hub: spec.limits, spoke: spec.limits }',
  'rename: { hub: "spec.limits{}", spoke: "spec.limits[].value" }',
];
const CASES: { [name: string]: Case } = {
  'a field of the hub is added to the version': {
    hub: '{ title: string, extra: string }',
    written: { spec: '{ label: string, nick: string }', rules: RENAMED },
    moved: { spec: '{ label: string, nick: string, extra: string }', rules: RENAMED },
    writes: [
      ['v1', { title: 'a', extra: 'E' }],
      ['v1beta1', { label: 'b', nick: 'n' }],
    ],
    reads: { label: 'b', nick: 'n', extra: 'E' },
  },
  'a rule is added next to strings that were split otherwise': {
    hub: '{ full: string, colour: string }',
    written: {
      spec: '{ first: string, last: string }',
      rules: ['join: { hub: spec.full, spoke: [spec.first, spec.last], separator: " " }'],
    },
    moved: {
      spec: '{ first: string, last: string, color: string }',
      rules: [
        'join: { hub: spec.full, spoke: [spec.first, spec.last], separator: " " }',
        'rename: { hub: spec.colour, spoke: spec.color }',
      ],
    },
    writes: [['v1beta1', { last: 'b c' }]],
    reads: { last: 'b c' },
  },
  'a factor changes, next to a preserved field': {
    hub: '{ ms: integer }',
    written: { spec: '{ sec: integer, nick: string }', rules: scaled(100) },
    moved: { spec: '{ sec: integer, nick: string }', rules: scaled(1000) },
    writes: [['v1beta1', { sec: 20, nick: 'n' }]],
    reads: { sec: 2, nick: 'n' },
  },
  'a factor changes, without a preserved field': {
    hub: '{ ms: integer }',
    written: { spec: '{ sec: integer, nick: string }', rules: scaled(100) },
    moved: { spec: '{ sec: integer, nick: string }', rules: scaled(1000) },
    writes: [['v1beta1', { sec: 20 }]],
    reads: { sec: 2 },
  },
  'values are mapped otherwise': {
    hub: '{ level: { type: string, rules: [oneof=low high] } }',
    written: {
      spec: '{ level: { type: integer, rules: [oneof=1 2] }, nick: string }',
      rules: ['map: { hub: spec.level, spoke: spec.level, values: { low: 1, high: 2 } }'],
    },
    moved: {
      spec: '{ level: { type: integer, rules: [oneof=1 2] }, nick: string }',
      rules: ['map: { hub: spec.level, spoke: spec.level, values: { low: 2, high: 1 } }'],
    },
    writes: [['v1beta1', { level: 1, nick: 'n' }]],
    reads: { level: 2, nick: 'n' },
  },
  'a field is joined no more': {
    hub: '{ name: string }',
    written: {
      spec: '{ first: string, last: string, nick: string }',
      rules: ['join: { hub: spec.name, spoke: [spec.first, spec.last], separator: " " }'],
    },
    moved: {
      spec: '{ first: string, last: string, nick: string }',
      rules: ['rename: { hub: spec.name, spoke: spec.first }'],
    },
    writes: [['v1beta1', { first: 'a', last: 'b', nick: 'n' }]],
    reads: { first: 'a b', nick: 'n' },
  },
  'the order of a list that the hub has as a map': {
    hub: '{ limits: { type: map, values: integer }, ms: integer }',
    written: { spec: LIMITS, rules: [...INDEXED, ...scaled(100)] },
    moved: { spec: LIMITS, rules: [...INDEXED, ...scaled(1000)] },
    writes: [
      ['v1beta1', { limits: ['10', '2', 'a.b'].map((name) => ({ name, value: 0 })) }],
      ['v1', { limits: { 'a b': 1, gpu: 2, 'a.b': 3 } }],
    ],
    reads: {
      limits: [
        { name: 'a.b', value: 3 },
        { name: 'a b', value: 1 },
        { name: 'gpu', value: 2 },
      ],
    },
  },
};

/** The ways in which the hub moves to the fields of v1beta1. */
const MOVES = [
  { name: 'v1beta1', storage: true },
  { name: 'v2', from: 'v1beta1', storage: true },
];

function served(hub: string, { spec, rules }: Spoke): Served {
  const conversion = rules.map((rule) => `              - ${rule}\n`).join('');
  return new Served(
    `name: shop
groups:
  - name: shop.example.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Thing
        versions:
          v1:
            spec: ${hub}
          v1beta1:
            spec: ${spec}
            conversion:
${conversion}`,
    {},
  );
}

const table = Object.entries(CASES).flatMap(([name, given]) =>
  MOVES.map((move) => [name, move, given] as const),
);

test.each(table)('%s: %j', (_, move, { hub, written, moved, writes, reads }) => {
  const [before, changed] = [served(hub, written), served(hub, moved)];
  let rows: Rows | undefined;
  for (const [version, spec] of writes) rows = write(before, rows, version, spec);
  expect(read(changed, rows!, 'v1beta1').spec).toEqual(reads);
  const after = new Served(addVersion(changed.text, move, load), {});
  const wanted = texts(changed, rows!);
  expect(texts(after, rows!)).toMatchObject(wanted);
  const rewritten = migrated(after, rows!);
  expect(texts(after, rewritten)).toMatchObject(wanted);
  expect(read(after, rewritten, move.name).spec).toEqual(reads);
});
