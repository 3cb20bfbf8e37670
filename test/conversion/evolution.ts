import * as fc from 'fast-check';

type Fields = { [name: string]: unknown };
type Rules = { [rule: string]: unknown }[];

/** Two versions of an object in the making, and the rules between them. */
interface Making {
  hub: Fields;
  spoke: Fields;
  /** Where the two objects are. */
  at: { hub: string; spoke: string };
  rules: Rules;
  /** For names that are not there yet. */
  id: number;
  /** True if fields of the same name belong together. */
  paired: boolean;
}

const object = (fields: Fields) => ({ type: 'object', fields });
const list = (items: unknown, key?: string) => ({ type: 'list', items, ...(key && { key }) });
const map = (values: unknown) => ({ type: 'map', values });
const oneof = (type: string, values: string) => ({ type, rules: [`oneof=${values}`] });
const required = (field: object) => ({ ...field, rules: ['required'] });

/** Small differences between two versions of an object. */
const DIFFERENCES: { [name: string]: (making: Making) => void } = {
  none: ({ hub, spoke, id }) => void ((hub[`f${id}`] = 'string'), (spoke[`f${id}`] = 'string')),
  'no difference in an any': ({ hub, spoke, id }) =>
    void ((hub[`f${id}`] = 'any'), (spoke[`f${id}`] = 'any')),
  'only in the hub': ({ hub, id }) => void (hub[`h${id}`] = 'string'),
  'only in the spoke': ({ spoke, id }) => void (spoke[`s${id}`] = 'integer'),
  'required in the hub alone': ({ hub, at, rules, id }) => {
    hub[`h${id}`] = required({ type: 'string' });
    rules.push({ default: { hub: `${at.hub}.h${id}`, value: 'new' } });
  },
  'required in the spoke alone': ({ spoke, at, rules, id }) => {
    spoke[`s${id}`] = required({ type: 'integer' });
    rules.push({ default: { spoke: `${at.spoke}.s${id}`, value: 7 } });
  },
  'a default in the spoke alone': ({ hub, spoke, id }) => {
    hub[`f${id}`] = 'integer';
    spoke[`f${id}`] = { type: 'integer', default: 3 };
  },
  renamed: ({ hub, spoke, at, rules, id }) => {
    hub[`h${id}`] = 'string';
    spoke[`s${id}`] = 'string';
    rules.push({ rename: { hub: `${at.hub}.h${id}`, spoke: `${at.spoke}.s${id}` } });
  },
  swapped: ({ hub, spoke, at, rules, id }) => {
    for (const fields of [hub, spoke]) Object.assign(fields, { [`a${id}`]: 'string', [`b${id}`]: 'string' });
    rules.push({ rename: { hub: `${at.hub}.a${id}`, spoke: `${at.spoke}.b${id}` } });
    rules.push({ rename: { hub: `${at.hub}.b${id}`, spoke: `${at.spoke}.a${id}` } });
  },
  mapped: ({ hub, spoke, at, rules, id }) => {
    hub[`f${id}`] = oneof('string', 'a b c');
    spoke[`f${id}`] = oneof('integer', '1 2');
    rules.push({
      map: { hub: `${at.hub}.f${id}`, spoke: `${at.spoke}.f${id}`, values: { a: 1, b: 1, c: 2 } },
    });
  },
  scaled: ({ hub, spoke, at, rules, id }) => {
    hub[`f${id}`] = 'integer';
    spoke[`s${id}`] = 'integer';
    rules.push({ scale: { hub: `${at.hub}.f${id}`, spoke: `${at.spoke}.s${id}`, factor: 1000 } });
  },
  cast: ({ hub, spoke, at, rules, id }) => {
    hub[`f${id}`] = 'string';
    spoke[`f${id}`] = 'integer';
    rules.push({ cast: { hub: `${at.hub}.f${id}`, spoke: `${at.spoke}.f${id}`, otherwise: { spoke: 0 } } });
  },
  wrapped: ({ hub, spoke, at, rules, id }) => {
    hub[`h${id}`] = list('string');
    spoke[`s${id}`] = 'string';
    rules.push({ wrap: { hub: `${at.hub}.h${id}`, spoke: `${at.spoke}.s${id}` } });
  },
  unwrapped: ({ hub, spoke, at, rules, id }) => {
    hub[`f${id}`] = 'integer';
    spoke[`f${id}`] = list('integer');
    rules.push({ wrap: { hub: `${at.hub}.f${id}`, spoke: `${at.spoke}.f${id}` } });
  },
  joined: ({ hub, spoke, at, rules, id }) => {
    Object.assign(hub, { [`a${id}`]: 'string', [`b${id}`]: 'string' });
    spoke[`s${id}`] = 'string';
    rules.push({
      join: { hub: [`${at.hub}.a${id}`, `${at.hub}.b${id}`], spoke: `${at.spoke}.s${id}`, separator: ' ' },
    });
  },
  split: ({ hub, spoke, at, rules, id }) => {
    hub[`h${id}`] = 'string';
    Object.assign(spoke, { [`a${id}`]: 'string', [`b${id}`]: 'string' });
    rules.push({
      join: { hub: `${at.hub}.h${id}`, spoke: [`${at.spoke}.a${id}`, `${at.spoke}.b${id}`], separator: ' ' },
    });
  },
  indexed: ({ hub, spoke, at, rules, id }) => {
    hub[`f${id}`] = map('string');
    spoke[`f${id}`] = list(
      object({ name: required({ type: 'string' }), value: required({ type: 'string' }) }),
      'name',
    );
    rules.push({ index: { hub: `${at.hub}.f${id}`, spoke: `${at.spoke}.f${id}` } });
  },
  dropped: ({ spoke, at, rules, id }) => {
    spoke[`s${id}`] = 'string';
    rules.push({ drop: { spoke: `${at.spoke}.s${id}` } });
  },
  'dropped, with a default': ({ spoke, at, rules, id }) => {
    spoke[`s${id}`] = { type: 'string', default: 'd' };
    rules.push({ drop: { spoke: `${at.spoke}.s${id}` } });
  },
  hoisted: ({ hub, spoke, at, rules, id }) => {
    hub[`o${id}`] = object({ x: 'string', y: 'integer', z: 'string' });
    Object.assign(spoke, { [`x${id}`]: 'string', [`y${id}`]: 'integer' });
    rules.push({ rename: { hub: `${at.hub}.o${id}.x`, spoke: `${at.spoke}.x${id}` } });
    rules.push({ rename: { hub: `${at.hub}.o${id}.y`, spoke: `${at.spoke}.y${id}` } });
  },
  nested: ({ hub, spoke, at, rules, id }) => {
    Object.assign(hub, { [`x${id}`]: 'string', [`y${id}`]: 'integer' });
    spoke[`o${id}`] = object({ x: 'string', in: object({ y: 'integer', s: 'string' }) });
    rules.push({ rename: { hub: `${at.hub}.x${id}`, spoke: `${at.spoke}.o${id}.x` } });
    rules.push({ rename: { hub: `${at.hub}.y${id}`, spoke: `${at.spoke}.o${id}.in.y` } });
  },
  'nested, with defaults': ({ hub, spoke, at, rules, id }) => {
    hub[`x${id}`] = oneof('string', 'a b c');
    spoke[`o${id}`] = object({
      x: { ...oneof('integer', '1 2'), default: 1 },
      d: { type: 'string', default: 'd' },
    });
    const values = { a: 1, b: 2, c: 2 };
    rules.push({ map: { hub: `${at.hub}.x${id}`, spoke: `${at.spoke}.o${id}.x`, values } });
  },
  'hoisted, with defaults': ({ hub, spoke, at, rules, id }) => {
    hub[`o${id}`] = object({
      x: { type: 'integer', default: 5 },
      d: { type: 'string', default: 'd' },
      e: 'string',
    });
    spoke[`s${id}`] = { type: 'integer', default: 6 };
    rules.push({ rename: { hub: `${at.hub}.o${id}.x`, spoke: `${at.spoke}.s${id}` } });
    rules.push({ default: { hub: `${at.hub}.o${id}.e`, value: 'made' } });
  },
  'taken out of an object that both have': ({ hub, spoke, at, rules, id }) => {
    hub[`o${id}`] = object({ x: 'string', y: 'integer', h: 'string' });
    Object.assign(spoke, { [`x${id}`]: 'string', [`o${id}`]: object({ y: 'integer', s: 'string' }) });
    rules.push({ rename: { hub: `${at.hub}.o${id}.x`, spoke: `${at.spoke}.x${id}` } });
  },
  'put into an object that both have': ({ hub, spoke, at, rules, id }) => {
    Object.assign(hub, { [`x${id}`]: 'string', [`o${id}`]: object({ y: 'integer', h: 'string' }) });
    spoke[`o${id}`] = object({ x: 'string', y: 'integer', s: 'string' });
    rules.push({ rename: { hub: `${at.hub}.x${id}`, spoke: `${at.spoke}.o${id}.x` } });
  },
  'one element of a list': ({ hub, spoke, at, rules, id }) => {
    hub[`l${id}`] = list(
      object({ name: required({ type: 'string' }), v: 'string', h: required({ type: 'string' }) }),
      'name',
    );
    spoke[`s${id}`] = 'string';
    rules.push({ rename: { hub: `${at.hub}.l${id}[name=a].v`, spoke: `${at.spoke}.s${id}` } });
    rules.push({ default: { hub: `${at.hub}.l${id}[name=a].h`, value: 'd' } });
  },
  'one element of a list, in the spoke': ({ hub, spoke, at, rules, id }) => {
    hub[`h${id}`] = 'string';
    spoke[`l${id}`] = list(object({ name: required({ type: 'string' }), v: 'string', s: 'string' }), 'name');
    rules.push({ rename: { hub: `${at.hub}.h${id}`, spoke: `${at.spoke}.l${id}[name=a].v` } });
  },
  'one entry of a map': ({ hub, spoke, at, rules, id }) => {
    hub[`m${id}`] = map('string');
    Object.assign(spoke, { [`m${id}`]: map('string'), [`s${id}`]: 'string' });
    rules.push({ rename: { hub: `${at.hub}.m${id}{a}`, spoke: `${at.spoke}.s${id}` } });
  },
};

/** Objects inside the two, in which more may differ. */
const PLACES: { [name: string]: (making: Making) => Making } = {
  'an object': (making) => inside(making, `o${making.id}`, `o${making.id}`, '', object),
  'an object of another name': (making) => {
    rename(making, 'a', 'b');
    return inside(making, `a${making.id}`, `b${making.id}`, '', object);
  },
  'the elements of a list': (making) =>
    inside(making, `l${making.id}`, `l${making.id}`, '[]', (fields) => list(object(fields))),
  'the elements of a list of another name': (making) => {
    rename(making, 'k', 'l');
    return inside(making, `k${making.id}`, `l${making.id}`, '[]', (fields) => list(object(fields)));
  },
  'the elements of a list with a key': (making) => {
    const below = inside(making, `l${making.id}`, `l${making.id}`, '[]', (fields) =>
      list(object(fields), 'name'),
    );
    below.hub['name'] = below.spoke['name'] = required({ type: 'string' });
    return below;
  },
  'the values of a map': (making) =>
    inside(making, `m${making.id}`, `m${making.id}`, '{}', (fields) => map(object(fields))),
  'the first element of a list': ({ hub, spoke, at, rules, id }) => {
    const below: Making = {
      hub: {},
      spoke: {},
      at: { hub: `${at.hub}.w${id}[]`, spoke: `${at.spoke}.w${id}` },
      rules,
      id: 0,
      paired: true,
    };
    hub[`w${id}`] = list(object(below.hub));
    spoke[`w${id}`] = object(below.spoke);
    rules.push({ wrap: { hub: `${at.hub}.w${id}`, spoke: `${at.spoke}.w${id}` } });
    return below;
  },
  'an object that only the hub has': ({ hub, spoke, at, rules, id }) => {
    const fields: Fields = {};
    hub[`o${id}`] = object(fields);
    return {
      hub: fields,
      spoke,
      at: { hub: `${at.hub}.o${id}`, spoke: at.spoke },
      rules,
      id: 100 * (id + 1),
      paired: false,
    };
  },
};

function rename({ at, rules, id }: Making, hub: string, spoke: string): void {
  rules.push({ rename: { hub: `${at.hub}.${hub}${id}`, spoke: `${at.spoke}.${spoke}${id}` } });
}

function inside(
  making: Making,
  hub: string,
  spoke: string,
  step: string,
  wrap: (fields: Fields) => object,
): Making {
  const { at, rules } = making;
  const below: Making = {
    hub: {},
    spoke: {},
    at: { hub: `${at.hub}.${hub}${step}`, spoke: `${at.spoke}.${spoke}${step}` },
    rules,
    id: 0,
    paired: true,
  };
  if (hub === spoke && !making.paired)
    rules.push({ rename: { hub: `${at.hub}.${hub}`, spoke: `${at.spoke}.${spoke}` } });
  making.hub[hub] = wrap(below.hub);
  making.spoke[spoke] = wrap(below.spoke);
  return below;
}

interface Shape {
  differences: string[];
  places: [place: string, shape: Shape][];
}

function shapes(depth: number): fc.Arbitrary<Shape> {
  const differences = fc.array(fc.constantFrom(...Object.keys(DIFFERENCES)), { minLength: 1, maxLength: 3 });
  if (depth === 0) return fc.record({ differences, places: fc.constant<Shape['places']>([]) });
  const place = fc.tuple(fc.constantFrom(...Object.keys(PLACES)), shapes(depth - 1));
  return fc.record({ differences, places: fc.array(place, { maxLength: 2 }) });
}

/** Two versions that differ in several ways at several depths, as project.yaml (JSON is YAML). */
export const evolutions: fc.Arbitrary<string> = shapes(2).map((shape) => {
  const making: Making = {
    hub: {},
    spoke: {},
    at: { hub: 'spec', spoke: 'spec' },
    rules: [],
    id: 0,
    paired: true,
  };
  fill(making, shape);
  const versions = { v1: { spec: making.hub }, v1beta1: { spec: making.spoke, conversion: making.rules } };
  const group = {
    name: 'g.svc.dev',
    storageVersion: 'v1',
    versions: ['v1', 'v1beta1'],
    kinds: [{ name: 'Thing', versions }],
  };
  return JSON.stringify({ name: 'p', groups: [group] }, null, 1);
});

function fill(making: Making, { differences, places }: Shape): void {
  for (const name of differences) {
    DIFFERENCES[name](making);
    making.id++;
  }
  for (const [name, shape] of places) {
    const below = PLACES[name](making);
    making.id++;
    fill(below, shape);
  }
}
