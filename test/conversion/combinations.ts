import * as fc from 'fast-check';
import { stringify } from 'yaml';

type Fields = { [name: string]: unknown };
type Rules = { [rule: string]: unknown }[];

/** The place of an object in the storage version and in another one, for the paths of rules. */
interface At {
  hub: string;
  own: string;
}

/** One version of something that the storage version has: its fields, and the rules for them. */
type Form = (at: At, id: number) => { fields: Fields; rules?: Rules };

/** Something that the storage version has, and the forms that other versions give it. */
interface Fragment {
  hub: (id: number) => Fields;
  forms: { [name: string]: Form };
}

const list = (items: unknown, key?: string) => ({ type: 'list', items, ...(key && { key }) });
const map = (values: unknown) => ({ type: 'map', values });
const object = (fields: Fields) => ({ type: 'object', fields });
const oneof = (type: string, values: string) => ({ type, rules: [`oneof=${values}`] });
const required = (field: { type: string; rules?: string[] }) => ({
  ...field,
  rules: ['required', ...(field.rules ?? [])],
});
const elements = (fields: Fields) => list(object({ name: required({ type: 'string' }), ...fields }), 'name');

/** A field of one name that a rule converts. */
const by =
  (name: string, type: unknown, rule: string, options: object = {}, own = name): Form =>
  ({ hub, own: at }, id) => ({
    fields: { [`${own}${id}`]: type },
    rules: [{ [rule]: { hub: `${hub}.${name}${id}`, spoke: `${at}.${own}${id}`, ...options } }],
  });

const renamed = (name: string, type: unknown) => by(name, type, 'rename', {}, `z${name}`);
const absent: Form = () => ({ fields: {} });

/** A fragment of one field. `same` is a form of it without being named. */
function field(name: string, type: unknown, forms: { [name: string]: Form }): Fragment {
  const hub = (id: number) => ({ [`${name}${id}`]: type });
  return {
    hub,
    forms: { same: (_, id) => ({ fields: hub(id) }), renamed: renamed(name, type), absent, ...forms },
  };
}

const XY = { x: 'string', y: 'integer' };
const ABC = oneof('string', 'a b c');

/** Everything that a rule may be about, with the forms that rules convert it to. */
const FRAGMENTS: { [name: string]: Fragment } = {
  text: field('t', 'string', {
    'an integer': by('t', 'integer', 'cast', { otherwise: { spoke: 0 } }),
    'a boolean': by('t', 'boolean', 'cast', { otherwise: { spoke: false } }),
    'a duration': by('t', 'integer', 'cast', { format: 'duration', otherwise: { spoke: 0 } }, 'd'),
    'a list': by('t', list('string'), 'wrap'),
    'its parts': by('t', list('string'), 'join', { separator: ' ' }),
    halves: ({ hub, own }, id) => ({
      fields: { [`a${id}`]: 'string', [`b${id}`]: 'string' },
      rules: [{ join: { hub: `${hub}.t${id}`, spoke: [`${own}.a${id}`, `${own}.b${id}`], separator: ' ' } }],
    }),
    'with a default': (_, id) => ({ fields: { [`t${id}`]: { type: 'string', default: 'd' } } }),
    longer: (_, id) => ({ fields: { [`t${id}`]: { type: 'string', rules: ['min=2'] } } }),
    must: (_, id) => ({ fields: { [`t${id}`]: required({ type: 'string' }) } }),
    required: ({ own }, id) => ({
      fields: { [`t${id}`]: required({ type: 'string' }) },
      rules: [{ default: { spoke: `${own}.t${id}`, value: 'x' } }],
    }),
  }),
  number: field('n', 'integer', {
    small: (_, id) => ({ fields: { [`n${id}`]: { type: 'integer', rules: ['max=3'] } } }),
    tens: by('n', 'integer', 'scale', { factor: 10 }),
    thousands: by('n', 'integer', 'scale', { factor: 1000 }, 'k'),
    thirds: by('n', 'number', 'scale', { factor: '1/3' }),
    text: by('n', 'string', 'cast', { otherwise: { hub: 5 } }),
    'a list': by('n', list('integer'), 'wrap'),
  }),
  flag: field('f', 'boolean', {
    words: by('f', oneof('string', 'yes no'), 'map', { values: { true: 'yes', false: 'no' } }),
    digits: by('f', oneof('integer', '1 0'), 'map', { values: { true: 1, false: 0 } }, 'g'),
    text: by('f', 'string', 'cast', { otherwise: { hub: false } }),
  }),
  choice: field('c', ABC, {
    two: by('c', oneof('string', 'x y'), 'map', { values: { a: 'x', b: 'x', c: 'y' } }),
    three: by('c', oneof('integer', '1 2 3'), 'map', { values: { a: 1, b: 2, c: 3 } }),
    four: by('c', oneof('string', 'p q r s'), 'map', { values: { a: 'p', b: 'q', c: ['r', 's'] } }),
    flag: by('c', 'boolean', 'map', { values: { a: true, b: false, c: false } }, 'i'),
  }),
  texts: field('l', list('string'), {
    first: by('l', 'string', 'wrap'),
    joined: by('l', 'string', 'join', { separator: ',' }),
  }),
  map: field('m', map('string'), {
    list: by('m', elements({ value: required({ type: 'string' }) }), 'index'),
    'list of optional values': by('m', elements({ value: 'string' }), 'index'),
    entry: ({ hub, own }, id) => ({
      fields: { [`m${id}`]: map('string'), [`e${id}`]: 'string' },
      rules: [{ rename: { hub: `${hub}.m${id}{a}`, spoke: `${own}.e${id}` } }],
    }),
  }),
  elements: field('k', elements({ value: 'string', extra: 'integer' }), {
    map: by('k', map(object({ value: 'string', extra: 'integer' })), 'index'),
    renamed: ({ hub, own }, id) => ({
      fields: { [`k${id}`]: elements({ other: 'string', extra: 'integer' }) },
      rules: [{ rename: { hub: `${hub}.k${id}[].value`, spoke: `${own}.k${id}[].other` } }],
    }),
    element: ({ hub, own }, id) => ({
      fields: { [`k${id}`]: elements({ value: 'string', extra: 'integer' }), [`e${id}`]: 'string' },
      rules: [{ rename: { hub: `${hub}.k${id}[name=a].value`, spoke: `${own}.e${id}` } }],
    }),
  }),
  'named numbers': field('g', elements({ n: 'integer' }), {
    scaled: ({ hub, own }, id) => ({
      fields: { [`g${id}`]: elements({ n: 'integer' }) },
      rules: [{ scale: { hub: `${hub}.g${id}[].n`, spoke: `${own}.g${id}[].n`, factor: 10 } }],
    }),
    element: ({ hub, own }, id) => ({
      fields: { [`g${id}`]: elements({ n: 'integer' }), [`e${id}`]: 'integer' },
      rules: [{ rename: { hub: `${hub}.g${id}[name=a].n`, spoke: `${own}.e${id}` } }],
    }),
    special: ({ hub, own }, id) => ({
      fields: { [`g${id}`]: elements({ n: 'integer' }) },
      rules: [{ scale: { hub: `${hub}.g${id}[name=a].n`, spoke: `${own}.g${id}[name=a].n`, factor: 3 } }],
    }),
  }),
  'choices by name': field('u', list(object({ name: required(ABC), n: 'integer' }), 'name'), {
    'other names': ({ hub, own }, id) => ({
      fields: {
        [`u${id}`]: list(object({ name: required(oneof('string', 'x y z')), n: 'integer' }), 'name'),
      },
      rules: [
        {
          map: {
            hub: `${hub}.u${id}[].name`,
            spoke: `${own}.u${id}[].name`,
            values: { a: 'x', b: 'y', c: 'z' },
          },
        },
      ],
    }),
    'other names, one scaled': ({ hub, own }, id) => ({
      fields: {
        [`u${id}`]: list(object({ name: required(oneof('string', 'x y z')), n: 'integer' }), 'name'),
      },
      rules: [
        {
          map: {
            hub: `${hub}.u${id}[].name`,
            spoke: `${own}.u${id}[].name`,
            values: { a: 'x', b: 'y', c: 'z' },
          },
        },
        { scale: { hub: `${hub}.u${id}[name=a].n`, spoke: `${own}.u${id}[name=x].n`, factor: 10 } },
      ],
    }),
    element: ({ hub, own }, id) => ({
      fields: {
        [`u${id}`]: list(object({ name: required(ABC), n: 'integer' }), 'name'),
        [`e${id}`]: 'integer',
      },
      rules: [{ rename: { hub: `${hub}.u${id}[name=a].n`, spoke: `${own}.e${id}` } }],
    }),
  }),
  'map of numbers': field('i', map('integer'), {
    scaled: ({ hub, own }, id) => ({
      fields: { [`i${id}`]: map('integer') },
      rules: [{ scale: { hub: `${hub}.i${id}{}`, spoke: `${own}.i${id}{}`, factor: 10 } }],
    }),
    entry: ({ hub, own }, id) => ({
      fields: { [`i${id}`]: map('integer'), [`e${id}`]: 'integer' },
      rules: [{ rename: { hub: `${hub}.i${id}{a}`, spoke: `${own}.e${id}` } }],
    }),
    special: ({ hub, own }, id) => ({
      fields: { [`i${id}`]: map('integer') },
      rules: [{ scale: { hub: `${hub}.i${id}{a}`, spoke: `${own}.i${id}{a}`, factor: 10 } }],
    }),
  }),
  'elements without a key': field('q', list(object({ name: 'string', x: 'string' })), {
    'with a key': (_, id) => ({ fields: { [`q${id}`]: elements({ x: 'string' }) } }),
  }),
  values: field('v', elements({ value: 'string' }), { map: by('v', map('string'), 'index') }),
  object: field('o', object(XY), {
    list: by('o', list(object(XY)), 'wrap'),
    'out of it': ({ hub, own }, id) => ({
      fields: { [`x${id}`]: 'string', [`y${id}`]: 'integer' },
      rules: ['x', 'y'].map((one) => ({
        rename: { hub: `${hub}.o${id}.${one}`, spoke: `${own}.${one}${id}` },
      })),
    }),
    'one out of it': ({ hub, own }, id) => ({
      fields: { [`o${id}`]: object({ y: 'integer' }), [`x${id}`]: 'string' },
      rules: [{ rename: { hub: `${hub}.o${id}.x`, spoke: `${own}.x${id}` } }],
    }),
    deeper: ({ hub, own }, id) => ({
      fields: { [`p${id}`]: object({ o: object(XY), s: 'string' }) },
      rules: [{ rename: { hub: `${hub}.o${id}`, spoke: `${own}.p${id}.o` } }],
    }),
    scaled: ({ hub, own }, id) => ({
      fields: { [`o${id}`]: object(XY) },
      rules: [{ scale: { hub: `${hub}.o${id}.y`, spoke: `${own}.o${id}.y`, factor: 10 } }],
    }),
  }),
  objects: field('w', list(object(XY)), {
    first: by('w', object(XY), 'wrap'),
    scaled: ({ hub, own }, id) => ({
      fields: { [`w${id}`]: list(object(XY)) },
      rules: [{ scale: { hub: `${hub}.w${id}[].y`, spoke: `${own}.w${id}[].y`, factor: 10 } }],
    }),
  }),
  'two texts': {
    hub: (id) => ({ [`a${id}`]: 'string', [`b${id}`]: 'string' }),
    forms: {
      same: (_, id) => ({ fields: { [`a${id}`]: 'string', [`b${id}`]: 'string' } }),
      joined: ({ hub, own }, id) => ({
        fields: { [`j${id}`]: 'string' },
        rules: [
          { join: { hub: [`${hub}.a${id}`, `${hub}.b${id}`], spoke: `${own}.j${id}`, separator: ' ' } },
        ],
      }),
      swapped: ({ hub, own }, id) => ({
        fields: { [`b${id}`]: 'string', [`a${id}`]: 'string' },
        rules: [
          { rename: { hub: `${hub}.a${id}`, spoke: `${own}.b${id}` } },
          { rename: { hub: `${hub}.b${id}`, spoke: `${own}.a${id}` } },
        ],
      }),
      'in an object': ({ hub, own }, id) => ({
        fields: { [`q${id}`]: object({ a: 'string', b: 'string' }) },
        rules: ['a', 'b'].map((one) => ({
          rename: { hub: `${hub}.${one}${id}`, spoke: `${own}.q${id}.${one}` },
        })),
      }),
    },
  },
  'a required text': field('r', required({ type: 'string' }), {
    absent: ({ hub }, id) => ({
      fields: {},
      rules: [{ default: { hub: `${hub}.r${id}`, value: 'made' } }],
    }),
  }),
  'a text with a default': field('h', { type: 'string', default: 'hub' }, {}),
  anything: field('y', 'any', {}),
  nothing: {
    hub: () => ({}),
    forms: {
      same: absent,
      own: (_, id) => ({ fields: { [`s${id}`]: 'integer' } }),
      'own with a default': (_, id) => ({ fields: { [`s${id}`]: { type: 'integer', default: 3 } } }),
      dropped: ({ own }, id) => ({
        fields: { [`s${id}`]: 'string' },
        rules: [{ drop: { spoke: `${own}.s${id}` } }],
      }),
    },
  },
};

/** Where fragments are: in an object of the spec, by the path to its fields, or in a shared type of each version. */
const PLACES: { [name: string]: { path: string; around: (fields: Fields) => Fields; type?: string } } = {
  'the spec': { path: '', around: (fields) => fields },
  'an object': { path: '.in', around: (fields) => ({ in: object(fields) }) },
  'the elements of a list': { path: '.each[]', around: (fields) => ({ each: list(object(fields)) }) },
  'the elements of a list with a key': {
    path: '.named[]',
    around: (fields) => ({ named: elements(fields) }),
  },
  'the values of a map': { path: '.by{}', around: (fields) => ({ by: map(object(fields)) }) },
  'a shared type': { path: '', around: (fields) => fields, type: 'T' },
};

/** A place with its fragments, each with the form that it has in every version but the hub. */
interface Part {
  place: string;
  fragments: { name: string; forms: string[] }[];
}

/** A project of one kind in v1, the hub, v1beta1, the next one, and as many versions more. */
export interface Combination {
  parts: Part[];
  versions: string[];
}

const SPOKES = ['v1beta1', 'v1alpha1', 'v1alpha2'];

/** Combinations of rules between the storage version and two or three others, which have the same things in several forms. */
export const combinations: fc.Arbitrary<Combination> = fc.integer({ min: 1, max: 3 }).chain((count) => {
  const fragment = fc
    .constantFrom(...Object.keys(FRAGMENTS).filter((n) => new RegExp(process.env['FRAG'] ?? '.').test(n)))
    .chain((name) => {
      const form = fc.constantFrom(...Object.keys(FRAGMENTS[name].forms));
      // Versions agree on most things.
      const others = fc.array(
        fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom('same', 'like the next') },
          { weight: 1, arbitrary: form },
        ),
        { minLength: count - 1, maxLength: count - 1 },
      );
      return fc.record({ name: fc.constant(name), form, others }).map(({ name, form, others }) => ({
        name,
        forms: [form, ...others.map((one) => (one === 'like the next' ? form : one))],
      }));
    });
  const part = fc.record({
    place: fc.constantFrom(...Object.keys(PLACES)),
    fragments: fc.array(fragment, { minLength: 1, maxLength: 3 }),
  });
  const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 2, selector: ({ place }) => place });
  return parts.map((parts) => ({ parts, versions: SPOKES.slice(0, count) }));
});

/** The project.yaml of a combination. */
export function projectOf({ parts, versions }: Combination): string {
  const kind: { [version: string]: { spec: Fields; conversion?: Rules } } = { v1: { spec: {} } };
  const types: { [name: string]: Fields } = {};
  // Each version has a type of its own, in two fields.
  const put = (version: string, { around, type }: (typeof PLACES)[string], all: Fields[]) => {
    const fields = around(Object.assign({}, ...all));
    if (type === undefined) return Object.assign(kind[version].spec, fields);
    types[type + version] = fields;
    return Object.assign(kind[version].spec, { one: type + version, many: list(type + version) });
  };
  for (const version of versions) kind[version] = { spec: {}, conversion: [] };
  for (const [p, { place, fragments }] of parts.entries()) {
    const here = PLACES[place];
    const at = (version: string): string => (here.type ?? 'spec') + (here.type ? version : here.path);
    const id = (i: number) => 10 * p + i;
    put(
      'v1',
      here,
      fragments.map(({ name }, i) => FRAGMENTS[name].hub(id(i))),
    );
    versions.forEach((version, v) => {
      const sides = { hub: at('v1'), own: at(version) };
      const forms = fragments.map(({ name, forms }, i) => FRAGMENTS[name].forms[forms[v]](sides, id(i)));
      put(
        version,
        here,
        forms.map(({ fields }) => fields),
      );
      kind[version].conversion!.push(...forms.flatMap(({ rules = [] }) => rules));
    });
  }
  const group = {
    name: 'g.svc.dev',
    storageVersion: 'v1',
    versions: ['v1', ...versions],
    types,
    kinds: [{ name: 'Thing', specVersioning: true, versions: kind }],
  };
  return stringify({ name: 'p', groups: [group] }, { aliasDuplicateObjects: false, collectionStyle: 'any' });
}
