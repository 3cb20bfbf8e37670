import { ConversionFailure } from '../../templates/runtime/conversion/lenses/converter';
import { collecting } from '../../templates/runtime/conversion/lenses/unconverted';
import type { Json, JsonObject } from '../../templates/runtime/model/schema';
import type { SpokeConverter } from '../../templates/runtime/model/versions/spoke-converter';
import type { Body } from '../../templates/runtime/model/versions/versioning-of';
import { type Given, pair, spokes } from './harness';

// What people meet, step by step; the laws say that nothing else can happen.

function converterOf({ user, ...given }: Given): SpokeConverter {
  return [...spokes(pair(given), user).values()][0].converter;
}

const versions = (hub: string, spoke: string, rules = ''): Given => ({
  hub: `spec: ${hub}`,
  spoke: `spec: ${spoke}`,
  rules,
});
const body = (spec: JsonObject): Body => ({ spec, status: {} });

/** A resource that is written and read through the hub and one spoke. */
class Resource {
  private hub: Body = body({});
  private kept: Json | undefined;
  private made = false;

  constructor(private readonly converter: SpokeConverter) {}

  writeHub(spec: JsonObject): this {
    this.kept = this.converter.carry(this.hub, body(spec), this.kept);
    this.hub = body(spec);
    this.made = true;
    return this;
  }

  writeSpoke(spec: JsonObject): this {
    const stored = this.made ? { hub: this.hub, kept: this.kept } : undefined;
    ({ hub: this.hub, kept: this.kept } = this.converter.toHub(body(spec), stored));
    this.made = true;
    return this;
  }

  get inHub(): JsonObject {
    return this.hub.spec;
  }

  get inSpoke(): JsonObject {
    return this.converter.fromHub(this.hub, this.kept).spec;
  }
}

test.each<JsonObject>([
  { name: 'n', x: 1, one: { b: 'b', y: 2 }, other: { b: 'b', z: 3 } },
  { one: {}, other: { b: 'b' } },
  { one: { b: 'b' }, other: {} },
  { one: {} },
  { other: {} },
  {},
])('undeclared members of an object, and its presence, are its own: %j', (sent) => {
  const converter = converterOf(
    versions(
      '{ name: string, a: string, c: string }',
      '{ name: string, one: { type: object, fields: { b: string } }, other: { type: object, fields: { b: string } } }',
      `- rename: { hub: spec.a, spoke: spec.one.b }
- rename: { hub: spec.c, spoke: spec.other.b }`,
    ),
  );
  expect(new Resource(converter).writeSpoke(sent).inSpoke).toEqual(sent);
});

describe('what was written is read back until the hub changes', () => {
  const scale = converterOf(
    versions('{ ms: integer }', '{ s: number }', '- scale: { hub: spec.ms, spoke: spec.s, factor: 1000 }'),
  );

  test('a number that is rounded', () => {
    const resource = new Resource(scale).writeSpoke({ s: 1.0004 });
    expect([resource.inHub, resource.inSpoke]).toEqual([{ ms: 1000 }, { s: 1.0004 }]);
    expect(resource.writeHub({ ms: 1000 }).inSpoke).toEqual({ s: 1.0004 });
    expect(resource.writeHub({ ms: 2000 }).inSpoke).toEqual({ s: 2 });
    expect(resource.writeHub({ ms: 1000 }).inSpoke).toEqual({ s: 1 });
  });

  test('the tail of a wrap', () => {
    const resource = new Resource(
      converterOf(
        versions(
          '{ a: string }',
          '{ l: { type: list, items: string } }',
          '- wrap: { hub: spec.a, spoke: spec.l }',
        ),
      ),
    );
    expect(resource.writeSpoke({ l: ['x', 'y'] }).inHub).toEqual({ a: 'x' });
    expect(resource.inSpoke).toEqual({ l: ['x', 'y'] });
    expect(resource.writeHub({ a: 'z' }).inSpoke).toEqual({ l: ['z'] });
  });

  test('an empty list where the hub has a default, until it has another value', () => {
    const converter = converterOf(
      versions(
        '{ n: { type: integer, default: 4 } }',
        '{ b: { type: list, items: integer } }',
        '- wrap: { hub: spec.n, spoke: spec.b }',
      ),
    );
    const { kept } = converter.toHub(body({ b: [] }), undefined);
    const read = (n: number, aside: Json | undefined) => converter.fromHub(body({ n }), aside).spec;
    expect(read(4, kept)).toEqual({ b: [] });
    expect(read(4, converter.carry(body({ n: 4 }), body({ n: 4 }), kept))).toEqual({ b: [] });
    expect(read(5, kept)).toEqual({ b: [5] });
    const other = converter.carry(body({ n: 4 }), body({ n: 5 }), kept);
    expect(read(4, converter.carry(body({ n: 5 }), body({ n: 4 }), other))).toEqual({ b: [4] });
  });

  test('the tail of a wrap, without dropped fields', () => {
    const types = `N: { v: integer, m: { type: map, values: N } }
M: { v: integer, x: string, m: { type: map, values: M } }`;
    const rules = '- wrap: { hub: spec.a, spoke: spec.a }\n- drop: { spoke: M.x }';
    const converter = converterOf({
      types,
      ...versions('{ a: N }', '{ a: { type: list, items: M } }', rules),
    });
    const sent = { v: 1, x: 'd', m: { k: { x: 'e', m: {} } } };
    const left = { v: 1, m: { k: { m: {} } } };
    expect(new Resource(converter).writeSpoke({ a: [sent, sent] }).inSpoke).toEqual({ a: [left, left] });
  });

  test('values that one stands for', () => {
    const rules = '- map: { hub: spec.m, spoke: spec.m, values: { fast: 1, quick: 1, slow: 2 } }';
    const resource = new Resource(
      converterOf(
        versions(
          '{ m: { type: string, rules: ["oneof=fast quick slow"] } }',
          '{ m: { type: integer, rules: ["oneof=1 2"] }, n: string }',
          rules,
        ),
      ),
    );
    expect(resource.writeHub({ m: 'quick' }).inSpoke).toEqual({ m: 1 });
    expect(resource.writeSpoke({ m: 1, n: 'other' }).inHub).toEqual({ m: 'quick' });
    expect(resource.writeSpoke({ m: 2 }).writeSpoke({ m: 1 }).inHub).toEqual({ m: 'fast' });
  });
});

describe('elements that rules make', () => {
  const element =
    '{ type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string, f: { type: string, rules: [required] } } } }';
  const converter = () =>
    converterOf(
      versions(
        `{ l: ${element} }`,
        `{ l: ${element.replace(/, f: .*?\] \}/, '')}, cpu: string, gpu: string }`,
        '- rename: { hub: "spec.l[name=cpu].v", spoke: spec.cpu }\n- rename: { hub: "spec.l[name=gpu].v", spoke: spec.gpu }\n' +
          '- default: { hub: "spec.l[].f", value: d }\n- default: { hub: "spec.l[name=gpu].f", value: g }',
      ),
    );

  test('get the default of all elements, or their own', () => {
    const resource = new Resource(converter()).writeSpoke({ cpu: '1', gpu: '2', l: [{ name: 'x' }] });
    expect(resource.inHub).toEqual({
      l: [
        { name: 'x', f: 'd' },
        { name: 'cpu', v: '1', f: 'd' },
        { name: 'gpu', v: '2', f: 'g' },
      ],
    });
  });

  test('are pointed at where the client wrote them', () => {
    const spoke = { spec: { cpu: '1', l: [{ name: 'x' }] }, status: {} };
    const { hub } = converter().toHub(spoke, undefined);
    const pointers = ['/spec/l/0/f', '/spec/l/1/f', '/spec/l/1'].map((pointer) =>
      converter().toSpokePointer(pointer, { hub, spoke }),
    );
    expect(pointers).toEqual(['/spec/l/0', '/spec/cpu', '/spec/cpu']);
  });
});

describe('elements keep what is theirs', () => {
  const keyed = () =>
    new Resource(
      converterOf(
        versions(
          '{ ports: { type: list, key: name, items: { type: object, fields: { name: string, number: integer, h: string } } } }',
          '{ ports: { type: list, key: name, items: { type: object, fields: { name: string, port: integer, s: string } } } }',
          '- rename: { hub: "spec.ports[].number", spoke: "spec.ports[].port" }',
        ),
      ),
    );

  test('by their key', () => {
    const resource = keyed().writeHub({
      ports: [
        { name: 'a', number: 1, h: 'ha' },
        { name: 'b', number: 2, h: 'hb' },
      ],
    });
    resource.writeSpoke({
      ports: [
        { name: 'c', port: 3 },
        { name: 'b', port: 4, s: 'sb' },
      ],
    });
    expect(resource.inHub).toEqual({
      ports: [
        { name: 'c', number: 3 },
        { name: 'b', number: 4, h: 'hb' },
      ],
    });
    resource.writeHub({
      ports: [
        { name: 'b', number: 4, h: 'hb' },
        { name: 'c', number: 3 },
      ],
    });
    expect(resource.inSpoke).toEqual({
      ports: [
        { name: 'b', port: 4, s: 'sb' },
        { name: 'c', port: 3 },
      ],
    });
    resource.writeHub({ ports: [] }).writeHub({ ports: [{ name: 'b' }] });
    expect(resource.inSpoke).toEqual({ ports: [{ name: 'b' }] });
  });

  test('sent as they were read, wherever they stand', () => {
    const resource = new Resource(
      converterOf(
        versions(
          '{ l: { type: list, items: { type: object, fields: { a: string, h: string } } } }',
          '{ l: { type: list, items: { type: object, fields: { a: string } } } }',
        ),
      ),
    ).writeHub({
      l: [
        { a: 'x', h: '1' },
        { a: 'y', h: '2' },
        { a: 'z', h: '3' },
      ],
    });
    resource.writeSpoke({ l: [{ a: 'z' }, { a: 'new' }, { a: 'x' }] });
    expect(resource.inHub).toEqual({
      l: [
        { a: 'z', h: '3' },
        { a: 'new', h: '2' },
        { a: 'x', h: '1' },
      ],
    });
  });
});

test('an object that only rules fill comes and goes with its fields, and with what is made with it', () => {
  const resource = new Resource(
    converterOf(
      versions(
        '{ net: { type: object, fields: { host: string, kind: { type: string, rules: [required] }, mtu: { type: integer, default: 1500 } } } }',
        '{ host: string }',
        '- rename: { hub: spec.net.host, spoke: spec.host }\n- default: { hub: spec.net.kind, value: tcp }',
      ),
    ),
  );
  expect(resource.writeSpoke({}).inHub).toEqual({});
  expect(resource.writeSpoke({ host: 'a' }).inHub).toEqual({ net: { host: 'a', kind: 'tcp', mtu: 1500 } });
  expect(resource.writeSpoke({}).inHub).toEqual({});
  resource.writeHub({ net: { host: 'a', kind: 'udp' } });
  expect(resource.writeSpoke({}).inHub).toEqual({ net: { kind: 'udp' } });
});

describe('what cannot be written is told with its place in the spoke', () => {
  const cast = converterOf(
    versions(
      '{ l: { type: list, items: { type: object, fields: { port: integer, wait: integer } } }, "n": number, on: boolean }',
      '{ list: { type: list, items: { type: object, fields: { port: string, wait: string } } }, "n": string, on: string }',
      `- rename: { hub: spec.l, spoke: spec.list }
- cast: { hub: "spec.l[].port", spoke: "spec.list[].port" }
- cast: { hub: "spec.l[].wait", spoke: "spec.list[].wait", format: duration }
- cast: { hub: spec.n, spoke: spec.n }
- cast: { hub: spec.on, spoke: spec.on }`,
    ),
  );

  test.each<[string, JsonObject, { [pointer: string]: string }]>([
    [
      'several at once',
      { n: 'x', on: 'yes' },
      { '/spec/n': 'must be a number such as "0.5"', '/spec/on': 'must be "true" or "false"' },
    ],
    [
      'text that is not canonical',
      { list: [{ port: '08080' }] },
      { '/spec/list/0/port': 'must be written as "8080"' },
    ],
    [
      'a fraction',
      { list: [{}, { port: '1.5' }] },
      { '/spec/list/1/port': 'must be an integer such as "8080"' },
    ],
    [
      'an integer that no field can have',
      { list: [{ port: '9007199254740993', wait: '9999999999999999h' }] },
      {
        '/spec/list/0/port': 'must be an integer such as "8080"',
        '/spec/list/0/wait': 'must be a duration in whole seconds such as "1h30m"',
      },
    ],
    ['a duration', { list: [{ wait: '90m' }] }, { '/spec/list/0/wait': 'must be written as "1h30m"' }],
    [
      'no duration',
      { list: [{ wait: 'soon' }] },
      { '/spec/list/0/wait': 'must be a duration in whole seconds such as "1h30m"' },
    ],
  ])('%s', (_, spec, want) => {
    expect(failuresOf(() => cast.toHub(body(spec), undefined))).toEqual(want);
  });

  test('what is unchanged is accepted whatever it is', () => {
    const stored = { hub: body({ n: 1 }), kept: { spec: { n: '01' } } };
    expect(cast.toHub(body({ n: '01' }), stored)).toEqual(stored);
  });
});

test.each([
  ['-9007199254740992', 'in seconds'],
  ['99999999999999999999', '3000000000000h'],
])('a cast has another value for %s and %s, which no integer field can have', (number, duration) => {
  const fields = (type: string): string => `{ "n": ${type}, wait: ${type} }`;
  const rules = (side: string): string => `- cast: { hub: spec.n, spoke: spec.n, otherwise: { ${side}: 7 } }
- cast: { hub: spec.wait, spoke: spec.wait, format: duration, otherwise: { ${side}: 7 } }`;
  const toText = converterOf(versions(fields('integer'), fields('string'), rules('hub')));
  const spec = { n: number, wait: duration };
  expect(toText.toHub(body(spec), undefined).hub.spec).toEqual({ n: 7, wait: 7 });
  const fromText = converterOf(versions(fields('string'), fields('integer'), rules('spoke')));
  expect(fromText.fromHub(body(spec), undefined).spec).toEqual({ n: 7, wait: 7 });
});

test('an element is pointed at, not another that equals it', () => {
  const list = '{ l: { type: list, items: integer } }';
  const rule = '- scale: { hub: "spec.l[]", spoke: "spec.l[]", factor: 10 }';
  const documents = { hub: body({ l: [10, 10] }), spoke: body({ l: [1, 1] }) };
  expect(converterOf(versions(list, list, rule)).toSpokePointer('/spec/l/1', documents)).toBe('/spec/l/1');
});

test('an element whose converted key stands in another field is refused, not lost', () => {
  const converter = converterOf(
    versions(
      '{ ports: { type: list, key: target, items: { type: object, fields: { target: { type: integer, rules: [required] }, host: string } } } }',
      '{ ports: { type: list, key: target, items: { type: object, fields: { target: { type: string, rules: [required] }, host: string } } }, web: string }',
      '- cast: { hub: "spec.ports[].target", spoke: "spec.ports[].target" }\n- rename: { hub: "spec.ports[target=80].host", spoke: spec.web }',
    ),
  );
  const ports = (...targets: string[]) => body({ ports: targets.map((target) => ({ target, host: 'h' })) });
  expect(failuresOf(() => converter.toHub(ports('81', '80'), undefined))).toEqual({
    '/spec/ports/1': 'this element belongs in another field of this version',
  });
  expect(converter.toHub(ports('81'), undefined).hub.spec).toEqual({ ports: [{ target: 81, host: 'h' }] });
});

test('an element that is named on both sides is converted in its own way where its key is cast', () => {
  const element = (target: string) =>
    `{ ports: { type: list, key: target, items: { type: object, fields: { target: { type: ${target}, rules: [required] }, a: string, b: string } } } }`;
  const resource = new Resource(
    converterOf(
      versions(
        element('integer'),
        element('string'),
        '- cast: { hub: "spec.ports[].target", spoke: "spec.ports[].target" }\n- rename: { hub: "spec.ports[target=80].a", spoke: "spec.ports[target=80].b" }\n- rename: { hub: "spec.ports[target=80].b", spoke: "spec.ports[target=80].a" }',
      ),
    ),
  ).writeHub({
    ports: [
      { target: 80, a: 'a', b: 'b' },
      { target: 81, a: 'a', b: 'b' },
    ],
  });
  expect(resource.inSpoke).toEqual({
    ports: [
      { target: '80', b: 'a', a: 'b' },
      { target: '81', a: 'a', b: 'b' },
    ],
  });
});

describe('functions of the user', () => {
  const rules = '- custom: { hub: [spec.a, spec.b], spoke: [spec.c], name: both }';
  const given = versions('{ a: integer, b: integer }', '{ c: string, s: string }', rules);

  test('are given the fields by name, and what is stored', () => {
    const calls: unknown[] = [];
    const user = {
      bothToHub: (...args: unknown[]) => (calls.push(args), { a: 1, b: undefined, other: 2 }),
      bothFromHub: ({ a }: { a?: number }) => ({ c: a === undefined ? undefined : `${a}` }),
    };
    const resource = new Resource(converterOf({ ...given, user })).writeSpoke({ c: '1', s: 'x' });
    expect([resource.inHub, resource.inSpoke]).toEqual([{ a: 1 }, { c: '1', s: 'x' }]);
    resource.writeSpoke({ c: '1', s: 'y' }).writeSpoke({ c: 'one', s: 'y' });
    expect(resource.inSpoke).toEqual({ c: 'one', s: 'y' });
    expect(calls).toEqual([
      [{ c: '1' }, undefined],
      [{ c: 'one' }, { a: 1 }],
    ]);
  });

  test.each<[what: string, result: unknown, message: string]>([
    ['a number that is none', { c: NaN }, 'c is NaN, which is not JSON'],
    ['a function', { c: Symbol }, 'c is function Symbol() { [native code] }, which is not JSON'],
    [
      'a promise',
      Promise.resolve({}),
      'the result must be an object with the fields, not a list or a promise',
    ],
    ['a list', ['c'], 'the result must be an object with the fields, not a list or a promise'],
  ])('that return no JSON: %s', (_, value, message) => {
    const user = {
      bothToHub: () =>
        Array.isArray(value) || value instanceof Promise ? value : { a: (value as { c: unknown }).c },
      bothFromHub: () => value,
    };
    const converter = converterOf({ ...given, user });
    const { result, left } = collecting(() => converter.fromHub(body({ a: 1 }), { spec: { s: 'x' } }).spec);
    expect(result).toEqual({ s: 'x' });
    expect(left.map((one) => [one.function, (one.error as Error).message])).toEqual([
      ['bothFromHub', message],
    ]);
    const refused = failuresOf(() => converter.toHub(body({ c: '1' }), undefined));
    expect(refused['/spec/c']).toBe(message.replace('c is', 'a is'));
  });

  test('that throw', () => {
    const user = {
      bothToHub: () => {
        throw new Error('must be two numbers');
      },
      bothFromHub: () => {
        throw new TypeError('no');
      },
    };
    const converter = converterOf({ ...given, user });
    const { result, left } = collecting(() => converter.fromHub(body({ a: 1 }), { spec: { s: 'x' } }).spec);
    expect(result).toEqual({ s: 'x' });
    expect(left.map((one) => [one.function, String(one.error)])).toEqual([['bothFromHub', 'TypeError: no']]);
    expect(failuresOf(() => converter.toHub(body({ c: '1' }), undefined))).toEqual({
      '/spec/c': 'must be two numbers',
    });
  });

  test('that throw a value without a text', () => {
    const bothToHub = () => {
      throw Object.create(null);
    };
    const converter = converterOf({ ...given, user: { bothToHub, bothFromHub: () => ({}) } });
    expect(failuresOf(() => converter.toHub(body({ c: '1' }), undefined))).toEqual({
      '/spec/c': 'the thrown value has no text',
    });
  });

  const endless: unknown[] = [];
  endless.push(endless);

  test.each<[string, unknown]>([
    ['what JSON does not have', { c: 1n }],
    ['what contains itself', { c: endless }],
  ])('that return %s', (_, result) => {
    const user = { bothToHub: () => ({}), bothFromHub: () => result };
    const { result: shown, left } = collecting(
      () => converterOf({ ...given, user }).fromHub(body({ a: 1 }), undefined).spec,
    );
    expect([shown, left.map((one) => one.function)]).toEqual([{}, ['bothFromHub']]);
  });

  test('that change what they are given', () => {
    const user = {
      bothToHub: () => ({}),
      bothFromHub: (hub: { a?: number }) => {
        delete hub.a;
        return { c: 'x' };
      },
    };
    const hub = body({ a: 1 });
    expect(converterOf({ ...given, user }).fromHub(hub, undefined).spec).toEqual({ c: 'x' });
    expect(hub.spec).toEqual({ a: 1 });
  });
});

test.each<[string, string, string]>([
  ['a renamed field', '/spec/location', '/spec/site'],
  ['below it', '/spec/location/x', '/spec/site/x'],
  ['a field of an element', '/spec/ports/1/number', '/spec/in/0/port'],
  ['an element', '/spec/ports/1', '/spec/in/0'],
  ['an element that stands for a field', '/spec/ports/0/number', '/spec/web'],
  ['a list', '/spec/ports', '/spec/in'],
  ['an object that only the hub has', '/spec/net', '/spec/host'],
  ['a field that is missing in it', '/spec/net/host', '/spec/host'],
  ['a field that the spoke does not show', '/spec/secret', '/spec'],
  ['an entry of a map that is a list', '/spec/labels/b', '/spec/labels/1/value'],
  ['a key with a slash', '/spec/config/a~1b', '/spec/config/a~1b'],
  ['several fields as one', '/spec/last', '/spec/full'],
  ['the first of a list', '/spec/addresses/0/street', '/spec/address/road'],
  ['another of the list', '/spec/addresses/3/street', '/spec/address'],
  ['metadata', '/metadata/name', '/metadata/name'],
])('the pointer of %s', (_, hubPointer, want) => {
  const converter = converterOf(
    versions(
      `{ location: any, secret: string, first: string, last: string, labels: { type: map, values: string }, config: { type: map, values: string },
         ports: { type: list, key: name, items: { type: object, fields: { name: string, number: integer } } },
         addresses: { type: list, items: { type: object, fields: { street: string } } },
         net: { type: object, fields: { host: string } } }`,
      `{ site: any, full: string, labels: { type: list, key: name, items: { type: object, fields: { name: string, value: string } } }, config: { type: map, values: string },
         in: { type: list, key: name, items: { type: object, fields: { name: string, port: integer } } }, web: integer,
         address: { type: object, fields: { road: string } }, host: string }`,
      `- rename: { hub: spec.location, spoke: spec.site }
- rename: { hub: spec.ports, spoke: spec.in }
- rename: { hub: "spec.ports[].number", spoke: "spec.in[].port" }
- rename: { hub: "spec.ports[name=web].number", spoke: spec.web }
- rename: { hub: spec.net.host, spoke: spec.host }
- index: { hub: spec.labels, spoke: spec.labels }
- join: { hub: [spec.first, spec.last], spoke: spec.full, separator: " " }
- wrap: { hub: spec.addresses, spoke: spec.address }
- rename: { hub: "spec.addresses[].street", spoke: spec.address.road }`,
    ),
  );
  const spoke = body({
    labels: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
    web: 80,
    in: [{ name: 'x', port: 1 }],
  });
  const { hub } = converter.toHub(spoke, { hub: body({ ports: [{ name: 'web' }] }), kept: undefined });
  expect(converter.toSpokePointer(hubPointer, { hub, spoke })).toBe(want);
});

describe('elements and entries that a version has no value for', () => {
  const element =
    '{ type: object, fields: { name: { type: string, rules: [required] }, value: string, from: string } }';
  const cases: { [name: string]: { versions: Given; hub: Json; shown: Json; sent: Json; after: Json } } = {
    'of a list that is shown as a map': {
      versions: versions(
        `{ env: { type: list, key: name, items: ${element} } }`,
        '{ env: { type: map, values: string } }',
        '- index: { hub: spec.env, spoke: spec.env }\n- rename: { hub: "spec.env[].value", spoke: "spec.env{}" }',
      ),
      hub: [
        { name: 'secret', from: 'vault' },
        { name: 'a', value: '1' },
      ],
      shown: { a: '1' },
      sent: { a: '2', b: '3' },
      after: [
        { name: 'secret', from: 'vault' },
        { name: 'a', value: '2' },
        { name: 'b', value: '3' },
      ],
    },
    'of a list that is shown as a list of one of their fields': {
      versions: versions(
        `{ env: { type: list, items: ${element} } }`,
        '{ env: { type: list, items: string } }',
        '- rename: { hub: "spec.env[].value", spoke: "spec.env[]" }\n- default: { hub: "spec.env[].name", value: new }',
      ),
      hub: [
        { name: 'a', value: '1' },
        { name: 'secret', from: 'vault' },
        { name: 'b', value: '2' },
      ],
      shown: ['1', '2'],
      sent: ['2', '3', '4'],
      after: [
        { name: 'b', value: '2' },
        { name: 'secret', from: 'vault' },
        { name: 'new', value: '3' },
        { name: 'new', value: '4' },
      ],
    },
    'of a map': {
      versions: versions(
        `{ env: { type: map, values: ${element} } }`,
        '{ env: { type: map, values: string } }',
        '- rename: { hub: "spec.env{}.value", spoke: "spec.env{}" }\n- default: { hub: "spec.env{}.name", value: new }',
      ),
      hub: { s: { name: 'secret', from: 'vault' }, a: { name: 'a', value: '1' } },
      shown: { a: '1' },
      sent: { a: '2' },
      after: { s: { name: 'secret', from: 'vault' }, a: { name: 'a', value: '2' } },
    },
    'of a map that is shown as a list with an integer key': {
      versions: versions(
        '{ env: { type: map, values: string } }',
        '{ env: { type: list, key: n, items: { type: object, fields: { n: integer, v: string } } } }',
        '- index: { hub: spec.env, spoke: spec.env }',
      ),
      hub: { 1: 'a', 2: 'b', x: 'c', '1.5': 'd' },
      shown: [
        { n: 1, v: 'a' },
        { n: 2, v: 'b' },
      ],
      sent: [
        { n: 3, v: 'c' },
        { n: 2, v: 'b' },
      ],
      after: { 2: 'b', 3: 'c', x: 'c', '1.5': 'd' },
    },
    'of an object that is shown as a list': {
      versions: versions(
        `{ env: ${element} }`,
        '{ env: { type: list, items: string } }',
        '- wrap: { hub: spec.env, spoke: spec.env }\n- rename: { hub: spec.env.value, spoke: "spec.env[]" }\n- default: { hub: spec.env.name, value: new }',
      ),
      hub: { name: 'secret', from: 'vault' },
      shown: [],
      sent: ['1'],
      after: { name: 'secret', from: 'vault', value: '1' },
    },
  };

  test.each(Object.entries(cases))(
    '%s are not shown and stay',
    (_, { versions: given, hub, shown, sent, after }) => {
      const resource = new Resource(converterOf(given)).writeHub({ env: hub });
      expect(resource.inSpoke).toEqual({ env: shown });
      expect(resource.writeSpoke({ env: sent }).inHub).toEqual({ env: after });
      expect(resource.inSpoke).toEqual({ env: sent });
    },
  );

  const needy =
    '{ type: list, key: k, items: { type: object, fields: { k: string, v: string, s: string } } }';
  test.each<[string, Given, Json, { [pointer: string]: string }]>([
    [
      'a list that the hub has as a map',
      versions(
        '{ l: { type: map, values: string } }',
        `{ l: ${needy} }`,
        '- index: { hub: spec.l, spoke: spec.l }\n- rename: { hub: "spec.l{}", spoke: "spec.l[].v" }',
      ),
      [{ k: 'a', v: '1' }, { k: 'b' }],
      { '/spec/l/1/v': 'v is required' },
    ],
    [
      'a list of objects that the hub has as values',
      versions(
        '{ l: { type: list, items: string } }',
        `{ l: ${needy} }`,
        '- rename: { hub: "spec.l[]", spoke: "spec.l[].v" }',
      ),
      [{ v: '1' }, { s: 'x' }],
      { '/spec/l/1/v': 'v is required' },
    ],
    [
      'a map of objects that the hub has as values',
      versions(
        '{ l: { type: map, values: string } }',
        '{ l: { type: map, values: { type: object, fields: { v: string, s: string } } } }',
        '- rename: { hub: "spec.l{}", spoke: "spec.l{}.v" }',
      ),
      { a: { v: '1' }, 'b/c': { s: 'x' } },
      { '/spec/l/b~1c/v': 'v is required' },
    ],
    [
      'an object that the hub has as the first of a list of values',
      versions(
        '{ l: { type: list, items: string } }',
        '{ l: { type: object, fields: { v: string, s: string } } }',
        '- wrap: { hub: spec.l, spoke: spec.l }\n- rename: { hub: "spec.l[]", spoke: spec.l.v }',
      ),
      { s: 'x' },
      { '/spec/l/v': 'v is required' },
    ],
  ])('%s needs the field that supplies them', (_, given, sent, want) => {
    const converter = converterOf(given);
    expect(failuresOf(() => converter.toHub(body({ l: sent }), undefined))).toEqual(want);
  });
});

test('join: an object in place of a string is text, whatever its members', () => {
  const odd: Json = { toString: 1, valueOf: 2 };
  const rule = (hub: string, spoke: string): string =>
    `- join: { hub: ${hub}, spoke: ${spoke}, separator: " " }`;
  const several = versions('{ a: string, b: string }', '{ c: string }', rule('[spec.a, spec.b]', 'spec.c'));
  const one = versions('{ a: string }', '{ b: string, c: string }', rule('spec.a', '[spec.b, spec.c]'));
  const ofList = versions('{ a: { type: list, items: string } }', '{ c: string }', rule('spec.a', 'spec.c'));
  const text = '{"toString":1,"valueOf":2}';
  const shown = (given: Given, hub: JsonObject) => new Resource(converterOf(given)).writeHub(hub).inSpoke;
  expect(shown(several, { a: odd, b: 'x' })).toEqual({ c: `${text} x` });
  expect(shown(one, { a: odd })).toEqual({ b: text });
  expect(shown(ofList, { a: [odd, 'x'] })).toEqual({ c: `${text} x` });
  expect(new Resource(converterOf(one)).writeSpoke({ b: odd }).inSpoke).toEqual({ b: odd });
});

describe('what breaks the types, where validation lets it through', () => {
  const converter = converterOf(
    versions(
      '{ a: integer, o: { type: object, fields: { x: string, h: string } }, l: { type: list, items: { type: object, fields: { x: string, h: string } } }, m: { type: map, values: integer } }',
      '{ b: integer, o: { type: object, fields: { x: string } }, l: { type: list, items: { type: object, fields: { x: string } } }, m: { type: map, values: integer } }',
      '- scale: { hub: spec.a, spoke: spec.b, factor: 2 }\n- scale: { hub: "spec.m{}", spoke: "spec.m{}", factor: 2 }',
    ),
  );

  test.each<JsonObject>([
    { b: 'x' },
    { b: [1], o: 'x', l: {}, m: [1] },
    { o: [], l: 'x', m: { a: null } },
    { l: [1, null, 'x', { x: 1 }] },
    { unknown: 1, o: { unknown: { a: 1 } } },
  ])('%j is read as it was written', (spec) => {
    const resource = new Resource(converter).writeSpoke(spec);
    expect(resource.inSpoke).toEqual(spec);
    expect(resource.writeSpoke({ ...spec, b: 4 }).inSpoke).toEqual({ ...spec, b: 4 });
  });

  describe('in place of an object or map that rules fill', () => {
    const opened = converterOf(
      versions(
        '{ x: string, addr: { type: object, fields: { city: string, zip: string } }, only: { type: object, fields: { a: string } }, env: { type: map, values: string }, home: string, f: string }',
        '{ x: string, city: string, addr: { type: object, fields: { zip: string } }, a: string, user: string, env: { type: map, values: string }, dirs: { type: map, values: string }, group: { type: object, fields: { f: string } } }',
        `- rename: { hub: spec.addr.city, spoke: spec.city }
- rename: { hub: spec.only.a, spoke: spec.a }
- rename: { hub: "spec.env{USER}", spoke: spec.user }
- rename: { hub: spec.home, spoke: "spec.dirs{HOME}" }
- rename: { hub: spec.f, spoke: spec.group.f }`,
      ),
    );
    const values: Json[] = [5, 'x', true, [], [1], [{ city: 'c' }]];

    test.each(['addr', 'only', 'env'])('the stored %s survives writes of other fields', (name) => {
      for (const value of values) {
        const resource = new Resource(opened).writeHub({ [name]: value });
        resource.writeSpoke({ ...resource.inSpoke, x: 'new' });
        expect(resource.inHub).toEqual({ [name]: value, x: 'new' });
      }
    });

    test.each(['addr', 'env', 'dirs', 'group'])('%s is read as it was written', (name) => {
      for (const value of values) {
        const resource = new Resource(opened).writeSpoke({ [name]: value });
        expect(resource.inSpoke).toEqual({ [name]: value });
        expect(resource.writeHub({ ...resource.inHub, x: 'new' }).inSpoke).toEqual({
          [name]: value,
          x: 'new',
        });
      }
    });

    test('it gives way to fields inside it, to an object and to its removal', () => {
      const resource = () => new Resource(opened).writeHub({ addr: 5, only: 5, env: 5 });
      const shown: JsonObject = { ...resource().inSpoke, x: 'new' };
      delete shown['a'];
      expect(shown).toEqual({ addr: 5, env: 5, x: 'new' });
      expect(resource().writeSpoke({ a: 'a', city: 'c', user: 'u' }).inHub).toEqual({
        addr: { city: 'c' },
        only: { a: 'a' },
        env: { USER: 'u' },
      });
      expect(resource().writeSpoke({ addr: {}, env: {} }).inHub).toEqual({ addr: {}, only: 5, env: {} });
      expect(resource().writeSpoke({ x: 'y' }).inHub).toEqual({ only: 5, x: 'y' });
      const both = new Resource(opened).writeSpoke({ city: 'c', addr: 5 });
      expect(both.inHub).toEqual({ addr: { city: 'c' } });
      expect(both.inSpoke).toEqual({ city: 'c', addr: 5 });
    });
  });

  const elements = '{ type: list, key: name, items: { type: object, fields: { name: string, v: string } } }';
  test.each<[string, Given, values: Json[]]>([
    [
      'a map',
      versions(
        '{ x: string, m: { type: map, values: string } }',
        '{ x: string, m: { type: map, values: string }, one: string }',
        '- rename: { hub: "spec.m{a}", spoke: spec.one }',
      ),
      [5, 'x', false, [], [1], [{ name: 'b' }]],
    ],
    [
      'a list',
      versions(
        `{ x: string, m: ${elements} }`,
        `{ x: string, m: ${elements}, one: string }`,
        '- rename: { hub: "spec.m[name=a].v", spoke: spec.one }',
      ),
      [5, 'x', false, {}, { b: 'c' }],
    ],
  ])('in place of %s, of which another field stands for a part', (_name, given, values) => {
    const parts = converterOf(given);
    for (const m of values) {
      const resource = new Resource(parts).writeSpoke({ m, one: 'o' });
      expect(resource.inSpoke).toEqual({ m, one: 'o' });
      const { m: part } = resource.inHub;
      expect(part).toEqual(new Resource(parts).writeSpoke({ one: 'o' }).inHub['m']);
      expect(resource.writeHub({ ...resource.inHub, x: 'new' }).inSpoke).toEqual({ x: 'new', m, one: 'o' });
      expect(resource.writeSpoke({ m, one: 'p' }).inSpoke).toEqual({ m, one: 'p' });
      expect(resource.writeHub({ m: part }).inSpoke).toEqual({ one: 'o' });
      const stored = new Resource(parts).writeHub({ m });
      expect(stored.writeSpoke({ m, one: 'o' }).inSpoke).toEqual({ m, one: 'o' });
    }
  });

  describe('in place of what a rule converts as a whole', () => {
    const list =
      '{ type: list, key: name, items: { type: object, fields: { name: string, value: integer } } }';
    const map = '{ type: map, values: { type: object, fields: { value: integer } } }';
    const whole = converterOf(
      versions(
        `{ x: string, asList: ${map}, asMap: ${list}, one: string, many: { type: list, items: string }, text: string, parts: { type: list, items: string } }`,
        `{ x: string, asList: ${list}, asMap: ${map}, one: { type: list, items: string }, many: string, text: { type: list, items: string }, parts: string }`,
        `- index: { hub: spec.asList, spoke: spec.asList }
- index: { hub: spec.asMap, spoke: spec.asMap }
- wrap: { hub: spec.one, spoke: spec.one }
- wrap: { hub: spec.many, spoke: spec.many }
- join: { hub: spec.text, spoke: spec.text, separator: "," }
- join: { hub: spec.parts, spoke: spec.parts, separator: "," }`,
      ),
    );
    const values: Json[] = [5, 'x,y', true, [], {}, { a: { value: 1 } }, [{ name: 'a' }]];
    const lists: Json[] = [[1], ['a']];

    test.each([
      ['asList', values],
      ...['asMap', 'one', 'many', 'text', 'parts'].map((name) => [name, [...values, ...lists]] as const),
    ] as const)('%s is read as it was written', (name, written) => {
      for (const value of written) {
        const resource = new Resource(whole).writeSpoke({ [name]: value });
        expect(resource.inSpoke).toEqual({ [name]: value });
        expect(resource.writeHub({ ...resource.inHub, x: 'new' }).inSpoke).toEqual({
          [name]: value,
          x: 'new',
        });
      }
    });
  });

  test('prototypes are never touched', () => {
    const spec = JSON.parse('{"m":{"__proto__":2,"constructor":4,"toString":6}}') as JsonObject;
    const resource = new Resource(converter).writeSpoke(spec);
    expect(JSON.stringify(resource.inHub)).toBe('{"m":{"__proto__":4,"constructor":8,"toString":12}}');
    expect(JSON.stringify(resource.inSpoke)).toBe(JSON.stringify(spec));
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
});

describe('an element whose key no entry of a map can have', () => {
  const listOf = (type: string): SpokeConverter =>
    converterOf(
      versions(
        '{ l: { type: map, values: { type: object, fields: { x: string } } } }',
        `{ l: { type: list, key: k, items: { type: object, fields: { k: { type: ${type}, rules: [required] }, x: string } } } }`,
        '- index: { hub: spec.l, spoke: spec.l }',
      ),
    );

  test.each<[string, Json, { [pointer: string]: string }]>([
    ['string', { x: 'a' }, { '/spec/l/1/k': 'k is required' }],
    ['string', { k: null }, { '/spec/l/1/k': 'k is required' }],
    ['string', { k: false }, { '/spec/l/1/k': 'k must be a string' }],
    ['string', { k: '1' }, { '/spec/l/1/k': 'k repeats that of an earlier element' }],
    ['string', 'text', { '/spec/l/1': 'an element must be an object' }],
    ['string', { k: '__proto__' }, { '/spec/l/1/k': 'k must not be "__proto__"' }],
    ['integer', { k: '2' }, { '/spec/l/1/k': 'k must be an integer' }],
    ['integer', { k: 1.5 }, { '/spec/l/1/k': 'k must be an integer' }],
    ['integer', { k: 1 }, { '/spec/l/1/k': 'k repeats that of an earlier element' }],
  ])('%s: %j', (type, element, want) => {
    const first = { k: type === 'integer' ? 1 : '1' };
    expect(failuresOf(() => listOf(type).toHub(body({ l: [first, element] }), undefined))).toEqual(want);
  });
});

test('a stored entry with a key that is refused by now stays, and can be sent back in a list', () => {
  const lists = converterOf(
    versions(
      '{ l: { type: map, values: string }, x: string }',
      '{ l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: string } } }, x: string }',
      '- index: { hub: spec.l, spoke: spec.l }',
    ),
  );
  const resource = new Resource(lists).writeHub(JSON.parse('{"l":{"__proto__":"a"}}') as JsonObject);
  const read = resource.inSpoke;
  expect(read).toEqual({ l: [{ k: '__proto__', v: 'a' }] });
  expect(resource.writeSpoke({ ...read, x: 'new' }).inSpoke).toEqual({ ...read, x: 'new' });
});

function failuresOf(convert: () => unknown): { [pointer: string]: string } {
  try {
    convert();
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error;
    return Object.fromEntries(error.failures.map(({ pointer, detail }) => [pointer, detail]));
  }
  throw new Error('nothing failed');
}
