import { parse } from 'yaml';
import { ProjectError } from '../../src/model/problem';
import type { Json, JsonObject } from '../../templates/runtime/model/schema';
import { EACH_RULE } from './each-rule';
import { type Given, pair } from './harness';
import { migrated, movedBack, read, type Rows, Served, write } from './moving';
import { checkMove } from './moving-law';

// What moving the hub promises: every version reads what it read before, whatever is written in between.

type Fields = { [part: string]: Json };

interface Version extends Fields {
  conversion: Json[];
}

/** A third version besides the old and the new hub. */
const THIRDS: { [name: string]: (hub: Fields, spoke: Version) => Fields | undefined } = {
  none: () => undefined,
  'like the old hub': (hub) => hub,
  'like the new hub': (_, spoke) => spoke,
  'the old hub with other names': (hub) => {
    const { spec } = hub as { spec: Fields };
    const renames = Object.keys(spec).map((name) => ({
      rename: { hub: `spec.${name}`, spoke: `spec.z${name}` },
    }));
    return {
      spec: Object.fromEntries(Object.entries(spec).map(([name, field]) => [`z${name}`, field])),
      conversion: renames as Json,
    };
  },
};

/** The project of a rule with a third version. */
function project(given: Given, third: string): string | undefined {
  const document = parse(pair(given)) as {
    groups: [{ versions: string[]; kinds: [{ versions: { [version: string]: Fields } }] }];
  };
  const [group] = document.groups;
  const { versions } = group.kinds[0];
  const fields = THIRDS[third](versions['v1'], versions['v1beta1'] as Version);
  if (fields !== undefined) {
    versions['v1alpha1'] = structuredClone(fields);
    group.versions.push('v1alpha1');
  } else if (third !== 'none') return undefined;
  return JSON.stringify(document);
}

/** Rules that say what they are in the other direction. */
const INVERTED: { [name: string]: Given } = {
  'cast: text that is not canonical': {
    hub: 'spec: { timeout: string, port: string, wait: integer, on: boolean, l: { type: list, items: { type: object, fields: { p: string, n: integer } } } }',
    spoke:
      'spec: { timeoutSeconds: integer, port: integer, wait: string, on: string, l: { type: list, items: { type: object, fields: { p: integer, n: string } } } }',
    rules: `- cast: { hub: spec.timeout, spoke: spec.timeoutSeconds, format: duration, otherwise: { spoke: 0 } }
- cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } }
- cast: { hub: spec.wait, spoke: spec.wait, format: duration, otherwise: { hub: 5 } }
- cast: { hub: spec.on, spoke: spec.on, otherwise: { hub: false } }
- cast: { hub: "spec.l[].p", spoke: "spec.l[].p", otherwise: { spoke: 0 } }
- cast: { hub: "spec.l[].n", spoke: "spec.l[].n", otherwise: { hub: -1 } }`,
  },
  'index: elements without a value': {
    hub: 'spec: { env: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: string } } }, x: string }',
    spoke: 'spec: { env: { type: map, values: string }, x: string }',
    rules: '- index: { hub: spec.env, spoke: spec.env }',
  },
  'index: a map whose entries may lack the value': {
    hub: 'spec: { env: { type: map, values: { type: object, fields: { value: string, s: string } } } }',
    spoke:
      'spec: { env: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: string, s: string } } } }',
    rules: '- index: { hub: spec.env, spoke: spec.env }',
  },
  'wrap: objects, and lists in lists': {
    hub: 'spec: { a: { type: list, items: { type: object, fields: { x: string, y: integer } } }, l: { type: list, items: { type: list, items: string } } }',
    spoke:
      'spec: { a: { type: object, fields: { x: string, y: integer } }, l: { type: list, items: string } }',
    rules: '- wrap: { hub: spec.a, spoke: spec.a }\n- wrap: { hub: spec.l, spoke: spec.l }',
  },
  'scale: factors without a finite inverse': {
    hub: 'spec: { s: integer, r: number, d: integer }',
    spoke: 'spec: { min: integer, r: number, w: number }',
    rules:
      '- scale: { hub: spec.s, spoke: spec.min, factor: 60 }\n- scale: { hub: spec.r, spoke: spec.r, factor: 7 }\n- scale: { hub: spec.d, spoke: spec.w, factor: 1/3 }',
  },
  'map: several values onto more than one': {
    hub: 'spec: { m: { type: string, rules: ["oneof=a b c d"] }, n: { type: integer, rules: ["oneof=1 2"] } }',
    spoke:
      'spec: { m: { type: integer, rules: ["oneof=1 2"] }, n: { type: string, rules: ["oneof=x y z"] } }',
    rules:
      '- map: { hub: spec.m, spoke: spec.m, values: { a: 1, b: 1, c: 2, d: 2 } }\n- map: { hub: spec.n, spoke: spec.n, values: { 1: [x, y], 2: z } }',
  },
  'custom: with its inverse': {
    hub: 'spec: { lat: number, lon: number, x: string }',
    spoke: 'spec: { position: string, x: string }',
    rules: '- custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position, inverse: latLon }',
    user: {
      positionToHub: ({ position }: { position?: string }) => {
        const [lat, lon] = position?.split(',').map(Number) ?? [];
        if (position !== undefined && !Number.isFinite(lat)) throw new Error('must be latitude,longitude');
        return { lat, lon };
      },
      positionFromHub: ({ lat, lon }: { lat?: number; lon?: number }) =>
        lat === undefined || lon === undefined ? {} : { position: `${Math.round(lat)},${Math.round(lon)}` },
      latLonToHub: ({ lat, lon }: { lat?: number; lon?: number }) =>
        lat === undefined || lon === undefined ? {} : { position: `${lat},${lon}` },
      latLonFromHub: ({ position }: { position?: string }) => {
        const [lat, lon] = position?.split(',').map(Number) ?? [];
        return Number.isFinite(lat) && Number.isFinite(lon) ? { lat, lon } : {};
      },
    },
  },
};

const [NONE, ...OTHERS] = Object.keys(THIRDS);

/** Each rule without a third version, and with one of the others in turn; with all of them in `npm run search`. */
const CASES = Object.entries({ ...EACH_RULE, ...INVERTED }).flatMap(([name, given], index) => {
  const others = process.env['LAW_RUNS'] === undefined ? [OTHERS[index % OTHERS.length]] : OTHERS;
  return [NONE, ...others].map((third) => [name, third, given] as const);
});

test.each(CASES)('%s; a third version: %s', (name, third, given) => {
  const text = project(given, third);
  if (text === undefined) return;
  const hooks = given.user ?? {};
  let before: Served;
  let after: Served;
  try {
    before = new Served(text, hooks);
    after = before.moved('v1beta1', hooks);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    // A rule that says what it is in the other direction is never refused, unless another version changed its fields.
    if (third !== 'the old hub with other names') expect(Object.keys(INVERTED)).not.toContain(name);
    for (const { line, hint } of error.problems)
      expect([line, hint]).toEqual([expect.any(Number), expect.any(String)]);
    return;
  }
  checkMove(before, after, movedBack(after, hooks), Number(process.env['LAW_RUNS'] ?? 5));
});

/** Rules of two versions that cannot be composed, with those between the two. */
const UNLIKE = `name: p
groups:
  - storageVersion: v1
    versions: [v1, v1beta1, v1alpha1]
    kinds:
      - name: Thing
        versions:
          v1: { spec: { t: string, a: string, b: string, m: { type: string, rules: [oneof=p q r] } } }
          v1beta1:
            spec: { t: integer, ab: string, m: boolean }
            conversion:
              - cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } }
              - join: { hub: [spec.a, spec.b], spoke: spec.ab, separator: " " }
              - map: { hub: spec.m, spoke: spec.m, values: { p: true, q: true, r: false } }
          v1alpha1:
            spec: { s: integer, a: string, c: string, m: { type: integer, rules: [oneof=1 2 3] } }
            conversion:
              - cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 }, hubs: { v1beta1: [{ rename: { hub: spec.t, spoke: spec.s } }] } }
              - rename: { hub: spec.b, spoke: spec.c, hubs: { v1beta1: [{ join: { hub: spec.ab, spoke: [spec.a, spec.c], separator: " " } }] } }
              - map: { hub: spec.m, spoke: spec.m, values: { p: 1, q: 2, r: 3 }, hubs: { v1beta1: [{ map: { hub: spec.m, spoke: spec.m, values: { true: [1, 2], false: 3 } } }] } }
`;

test('rules that cannot be composed, with those between the two versions', () => {
  const before = new Served(UNLIKE, {});
  const after = before.moved('v1beta1', {});
  const back = after.moved('v1', {});
  checkMove(before, after, back, Number(process.env['LAW_RUNS'] ?? 5));
  expect(after.moved('v1', {}).moved('v1beta1', {}).text).toBe(after.text);
});

/** The service of a rule with a third version, after the move, and what is stored then of one resource. */
function movedWith(rule: string, third: string, version: string, spec: JsonObject): [Served, Rows] {
  const before = new Served(project(EACH_RULE[rule], third)!, {});
  const after = before.moved('v1beta1', {});
  return [after, migrated(after, write(before, undefined, version, spec)!)];
}

test('a map of one version stays when the first entry of the hub belongs elsewhere', () => {
  const rule = 'rename: entries of maps, in the spoke';
  const [after, rows] = movedWith(rule, 'like the old hub', 'v1alpha1', { both: { a: 0 } });
  const next = write(after, rows, 'v1', { ...read(after, rows, 'v1').spec, a: 5 })!;
  expect(read(after, next, 'v1alpha1').spec).toEqual({ both: { a: 0 }, a: 5 });
  expect(read(after, next, 'v1beta1').spec).toEqual({ both: { a: 5 } });
});

test('the tail of a list stays when the hub changes what the first element does not show', () => {
  const addresses = [{ street: 'x' }, { street: 'y' }];
  const [after, rows] = movedWith('wrap: objects', 'like the new hub', 'v1', { addresses });
  const other = write(after, rows, 'v1beta1', { address: { road: 'x', s: 'new' } })!;
  expect(read(after, other, 'v1').spec).toEqual({ addresses });
  const shown = write(after, other, 'v1beta1', { address: { road: 'z' } })!;
  expect(read(after, shown, 'v1').spec).toEqual({ addresses: [{ street: 'z' }] });
});
