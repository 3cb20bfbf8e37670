import fc from 'fast-check';
import { apply, ownersOf, wanted } from './applying';
import { type Answer, Cluster, devices } from './devices';

// Server-side apply of three managers, and writes of a fourth client, against a model: values and owners by field. Paths are
// those of v2beta1, which has every field. Elements of lists are fields of their own.

type Version = 'v1' | 'v2beta1';

/** The fields that a manager applies. A port is there without a number, or with one. */
interface Wanted {
  location: string | undefined;
  model?: string;
  tier?: string;
  nickname?: string;
  label?: string;
  finalizers: string[];
  ports: { [name: string]: number | null };
}

type Action =
  | { type: 'apply'; manager: string; version: Version; wanted: Wanted; force: boolean }
  | { type: 'replace'; wanted: Wanted; isPartial: boolean };

/** The field that only v2beta1 has, and the one that is there without any owner. */
const [OWN, DEFAULTED] = ['spec.nickname', 'spec.tier'];
const LOCATION = 'spec.site';
/** The manager of writes that do not apply. */
const WRITER = 'writer Update';

/** Returns the fields of an object, in the order of its elements. */
function fieldsOf({ location, model, tier, nickname, label, finalizers, ports }: Wanted): Values {
  const fields: [string, string | number | undefined][] = Object.entries({
    [LOCATION]: location,
    'spec.model': model,
    [DEFAULTED]: tier,
    [OWN]: nickname,
    'metadata.labels.label': label,
    ...Object.fromEntries(finalizers.map((name) => [`metadata.finalizers[="${name}"]`, name])),
    ...Object.fromEntries(
      Object.entries(ports).flatMap(([name, number]) => [
        [`${port(name)}.name`, name],
        [`${port(name)}.number`, number ?? undefined],
      ]),
    ),
  });
  return new Map(
    fields.flatMap(([field, value]): [string, string | number][] =>
      value === undefined ? [] : [[field, value]],
    ),
  );
}

type Values = Map<string, string | number>;

const port = (name: string): string => `spec.ports[name="${name}"]`;

/** Returns values as an object of a version. */
function objectOf(values: Values, version: Version): object {
  const at = (field: string) => (values.has(field) ? { [field.split('.').at(-1)!]: values.get(field) } : {});
  const inside = (start: string) => [...values.keys()].filter((field) => field.startsWith(start));
  const names = inside('spec.ports').flatMap((field) => (field.endsWith('.name') ? values.get(field)! : []));
  const spec = {
    ...(values.has(LOCATION) && { [version === 'v1' ? 'location' : 'site']: values.get(LOCATION) }),
    ...{ ...at('spec.model'), ...at(DEFAULTED), ...at(OWN) },
    ...(names.length > 0 && {
      ports: names.map((name) => ({ name, ...at(`${port(String(name))}.number`) })),
    }),
  };
  const labels = at('metadata.labels.label');
  const finalizers = inside('metadata.finalizers').map((field) => values.get(field));
  const metadata = {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(finalizers.length > 0 && { finalizers }),
  };
  return wanted(spec, version, metadata);
}

/** The values of an object, and the fields of each manager. */
class Model {
  values: Values = new Map();
  owners = new Map<string, Set<string>>();

  /** Returns the causes of a conflict, or nothing after an apply. Undefined for one that is invalid. */
  apply(manager: string, version: Version, wanted: Values, force: boolean): Set<string> | undefined {
    const role = `${manager} Apply`;
    const others = [...this.owners].filter(([name]) => name !== role);
    const changed = [...wanted].filter(([field, value]) => this.values.get(field) !== value);
    const conflicts = changed.flatMap(([field]) =>
      others.flatMap(([name, fields]) => (fields.has(field) ? `${name}: ${field}` : [])),
    );
    const before = this.owners.get(role) ?? new Set();
    // Through v1, nobody can say that the nickname is not wanted any more.
    const mine = new Set([...wanted.keys(), ...(version === 'v1' && before.has(OWN) ? [OWN] : [])]);
    const values = mergedValues(this.values, wanted);
    const owned = others.flatMap(([, fields]) => [...fields]);
    for (const field of before)
      if (!mine.has(field) && !owned.includes(field)) abandon(values, field, [...owned, ...mine]);
    // The rules of fields come first.
    if (!values.has(LOCATION)) return undefined;
    if (conflicts.length > 0 && !force) return new Set(conflicts);
    this.#write(role, values, mine);
    return new Set();
  }

  /** Replaces all values as a client that does not apply. */
  replace(values: Values): void {
    if (!values.has(DEFAULTED)) values.set(DEFAULTED, 'silver');
    const mine = new Set(this.owners.get(WRITER));
    for (const [field, value] of values) if (this.values.get(field) !== value) mine.add(field);
    this.#write(WRITER, values, mine);
  }

  #write(role: string, values: Values, mine: Set<string>): void {
    if (!values.has(DEFAULTED)) values.set(DEFAULTED, 'silver');
    for (const fields of this.owners.values())
      for (const field of fields) if (values.get(field) !== this.values.get(field)) fields.delete(field);
    for (const field of mine) if (!values.has(field)) mine.delete(field);
    this.owners.set(role, mine);
    this.values = values;
  }

  /** Returns the owners in the form of `ownersOf`. */
  shown(): object {
    const owners = [...this.owners].filter(([, fields]) => fields.size > 0);
    return Object.fromEntries(owners.map(([name, fields]) => [name, [...fields].sort().join(' ')]));
  }
}

/** The fields that stand for elements: their order is that of the elements. */
const ELEMENTS = [/^spec\.ports\[.*\]\.name$/, /^metadata\.finalizers\[/];

/** Returns the present values with those that are wanted. */
function mergedValues(present: Values, wanted: Values): Values {
  const values = new Map([...present, ...wanted]);
  const elementsOf = (each: Values, pattern: RegExp) =>
    [...each.keys()].filter((field) => pattern.test(field));
  for (const pattern of ELEMENTS)
    for (const field of mergedOrder(elementsOf(present, pattern), elementsOf(wanted, pattern))) {
      const value = values.get(field)!;
      values.delete(field);
      values.set(field, value);
    }
  return values;
}

/** Returns the elements of both lists in order, step by step as structured-merge-diff, the library of a kube-apiserver. */
function mergedOrder(present: string[], wanted: string[]): string[] {
  const shared = wanted.filter((each) => present.includes(each));
  const [left, right] = [[...present], [...wanted]];
  const result: string[] = [];
  while (left.length > 0 || right.length > 0) {
    const both = left.length > 0 && right.length > 0;
    if (both && left[0] === right[0]) {
      result.push(left.shift()!);
      right.shift();
      shared.shift();
    } else if (both && wanted.includes(left[0]) && shared.length > 0 && shared[0] !== left[0]) {
      left.shift();
    } else if (left.length > 0 && !wanted.includes(left[0])) {
      result.push(left.shift()!);
    } else {
      if (result.includes(left[0])) left.shift();
      if (right.length === 0) continue;
      if (shared[0] === right[0]) shared.shift();
      result.push(right.shift()!);
    }
  }
  return result;
}

/** Removes a field that its last owner has left. An element goes with its key, unless somebody owns a field of it. */
function abandon(values: Values, field: string, owned: readonly string[]): void {
  const element = /^(spec\.ports\[.*\])\.name$/.exec(field)?.[1];
  if (element !== undefined) {
    if (owned.some((each) => each.startsWith(element))) return;
    values.delete(`${element}.number`);
  }
  values.delete(field);
}

const either = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const version = either<Version>('v1', 'v2beta1');
const wantedArbitrary: fc.Arbitrary<Wanted> = fc.record(
  {
    // Mostly there and the same, so that most writes are made.
    location: either('eu', 'eu', 'eu', 'eu', 'us', undefined),
    model: either('x', 'y'),
    tier: either('gold', 'silver'),
    nickname: either('uno', 'due'),
    label: either('1', '2'),
    finalizers: fc.uniqueArray(either('a.dev/x', 'b.dev/y', 'plain'), { maxLength: 2 }),
    ports: fc.dictionary(either('http', 'https'), either(null, 80, 81)),
  },
  { requiredKeys: ['location', 'finalizers', 'ports'] },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('apply'),
      manager: either('a', 'b', 'c'),
      version,
      wanted: wantedArbitrary,
      force: either(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('replace'),
      wanted: wantedArbitrary,
      isPartial: fc.boolean(),
    }),
  },
);

const port80: Wanted = { location: 'eu', finalizers: [], ports: { http: 80 } };
const without: Action = {
  ...{ type: 'apply', manager: 'a', version: 'v1', force: false },
  wanted: { ...port80, ports: {} },
};
/** A rare case: a manager leaves an element of which another one has only a field. */
const SHARED_ELEMENT: Action[] = [
  { ...without, wanted: port80 },
  { type: 'replace', wanted: { ...port80, ports: { http: 81 } }, isPartial: true },
  without,
];

describe('three managers', () => {
  let cluster: Cluster;
  let count = 0;
  beforeAll(async () => void (cluster = await Cluster.start()));
  afterAll(() => cluster?.close());

  /** Makes a write of a model and of an object. */
  async function make(model: Model, name: string, made: Action): Promise<void> {
    const values = fieldsOf(made.wanted);
    if (made.type === 'replace') {
      if (model.values.size === 0) return;
      const present = made.isPartial ? model.values : new Map([[LOCATION, 'eu']]);
      const all = new Map([...present, ...values]);
      model.replace(new Map(all));
      const { metadata, ...others } = objectOf(all, 'v2beta1') as Parts;
      const body = { ...others, metadata: { ...metadata, name } };
      const replaced = await cluster.request('PUT', `${devices('v2beta1')}/${name}?fieldManager=writer`, {
        body,
      });
      expect(replaced.code).toBe(200);
      return;
    }
    const { manager, version, force } = made;
    if (version === 'v1') values.delete(OWN);
    const expected = model.apply(manager, version, values, force);
    const query = force ? '&force=true' : '';
    const reply = await apply(cluster, [manager, name, query], objectOf(values, version), { version });
    if (expected === undefined) expect(reply.code).toBe(422);
    else if (expected.size > 0) expect(conflictsOf(reply)).toEqual(expected);
    else expect([200, 201]).toContain(reply.code);
  }

  test('own, lose and leave fields as the model says', async () => {
    const property = fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
      const model = new Model();
      const name = `d-${++count}`;
      let [before, revision] = ['', ''];
      for (const each of actions) {
        await make(model, name, each);
        const read = await cluster.get(`${devices('v2beta1')}/${name}`);
        if (model.values.size === 0) {
          expect(read.code).toBe(404);
          continue;
        }
        const { spec, metadata } = read.body;
        expect(ownersOf(read)).toEqual(model.shown());
        expect({ spec, metadata }).toMatchObject(partsOf(model));
        expect(Object.keys(spec).sort()).toEqual(Object.keys(partsOf(model).spec).sort());
        expect(metadata.finalizers).toEqual(partsOf(model).metadata.finalizers);
        expect(metadata.labels).toEqual(partsOf(model).metadata.labels);
        // An apply that changes neither a value nor an owner has no effect.
        const now = JSON.stringify([partsOf(model), model.shown()]);
        expect(metadata.resourceVersion === revision).toBe(now === before);
        [before, revision] = [now, metadata.resourceVersion];
      }
    });
    await fc.assert(property, { numRuns: 30, examples: [[SHARED_ELEMENT]] });
  });
});

interface Parts {
  spec: object;
  metadata: { finalizers?: string[]; labels?: object };
}

function partsOf({ values }: Model): Parts {
  const { spec, metadata } = objectOf(values, 'v2beta1') as Parts;
  return { spec, metadata };
}

/** Returns the causes of a refused apply, such as `a Apply: spec.site`. */
function conflictsOf({ body }: Answer): Set<string> {
  const { causes = [] } = (body.details ?? {}) as { causes?: { message: string; field: string }[] };
  return new Set(
    causes.map(({ message, field }) => {
      const [, manager, using] = /^conflict with "(.*)"( using .*)?$/.exec(message)!;
      const path = field.slice(1).replace('spec.location', LOCATION);
      return `${manager} ${using === undefined ? 'Apply' : 'Update'}: ${path}`;
    }),
  );
}
