import type { Given } from './harness';

const spec = (fields: string) => `spec: ${fields}`;

const PORT = '{ name: { type: string, rules: [required] }, number: integer, protocol: string }';
const NODE = '{ name: string, children: { type: list, items: Node }, size: { type: integer } }';

const position = {
  positionToHub({ position }: { position?: string }) {
    if (position === undefined) return {};
    const [lat, lon] = position.split(',').map(Number);
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) throw new Error('must be latitude,longitude');
    return { lat, lon };
  },
  positionFromHub({ lat, lon }: { lat?: number; lon?: number }) {
    if (lat === 1) throw new Error('no position there');
    return lat === undefined || lon === undefined ? {} : { position: `${lat},${lon}` };
  },
};

/** Each rule alone, and what has none: both versions and the rules between them, in project.yaml's own words. */
export const EACH_RULE: { [name: string]: Given } = {
  'no rule: same fields': {
    hub: spec('{ a: string, b: { type: object, fields: { c: integer, d: any } } }'),
    spoke: spec('{ b: { type: object, fields: { d: any, c: integer } }, a: string }'),
  },
  'no rule: one-sided fields': {
    hub: spec(
      '{ a: string, h: integer, o: { type: object, fields: { x: string, h: { type: list, items: string } } } }',
    ),
    spoke: spec('{ a: string, s: integer, o: { type: object, fields: { x: string, s: any } } }'),
  },
  'no rule: defaults of one version': {
    hub: spec(
      '{ a: { type: string, default: hub }, b: string, o: { type: object, fields: { p: integer } } }',
    ),
    spoke: spec(
      '{ a: string, b: { type: string, default: spoke }, o: { type: object, fields: { p: { type: integer, default: 3 } } }, s: { type: any, default: { a: 1 } } }',
    ),
  },
  'no rule: lists of objects': {
    hub: spec('{ l: { type: list, items: { type: object, fields: { a: string, h: integer } } } }'),
    spoke: spec('{ l: { type: list, items: { type: object, fields: { a: string, s: integer } } } }'),
  },
  'no rule: lists with a key': {
    hub: spec(`{ ports: { type: list, key: name, items: { type: object, fields: ${PORT} } } }`),
    spoke: spec(
      '{ ports: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, number: integer, note: string } } } }',
    ),
  },
  'no rule: a key in one version only': {
    hub: spec(`{ ports: { type: list, items: { type: object, fields: ${PORT} } } }`),
    spoke: spec(
      '{ ports: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, note: string } } } }',
    ),
  },
  'no rule: maps of objects': {
    hub: spec('{ m: { type: map, values: { type: object, fields: { a: string, h: integer } } } }'),
    spoke: spec('{ m: { type: map, values: { type: object, fields: { a: string, s: integer } } } }'),
  },
  'no rule: names that objects inherit': {
    hub: spec(
      '{ toString: string, valueOf: { type: object, fields: { hasOwnProperty: string, h: string } }, class: string, a-b: string, default: integer }',
    ),
    spoke: spec(
      '{ toString: string, valueOf: { type: object, fields: { hasOwnProperty: string, s: string } }, class: string, a-b: string, default: integer, isPrototypeOf: string }',
    ),
  },
  'names that the converter uses itself': {
    types: `From: { copy: integer, own: string }
Lens: { copy: string, group: Lens }
Old: { copy: integer, lens: string }
OldLens: { together: string, group: OldLens }`,
    hub: spec(
      '{ fields: integer, hub: { type: object, fields: { toHub: integer, copy: string, carry: { type: object, fields: { dropped: integer } } } }, from: From, lens: Lens, class: integer, a-b: { type: list, items: { type: object, fields: { spoke: integer } } } }',
    ),
    spoke: spec(
      '{ fields: integer, spoke: { type: object, fields: { fromHub: integer, own: { type: object, fields: { together: integer } } } }, from: Old, lens: OldLens, delete: integer, converter: string, a-b: { type: list, items: { type: object, fields: { hub: integer } } }, get: string, put: { type: object, fields: { get: string } } }',
    ),
    rules:
      '- scale: { hub: spec.fields, spoke: spec.fields, factor: 10 }\n- scale: { hub: spec.hub.toHub, spoke: spec.spoke.fromHub, factor: 10 }\n' +
      '- scale: { hub: spec.hub.carry.dropped, spoke: spec.spoke.own.together, factor: 10 }\n- scale: { hub: spec.class, spoke: spec.delete, factor: 10 }\n' +
      '- scale: { hub: "spec.a-b[].spoke", spoke: "spec.a-b[].hub", factor: 10 }\n- rename: { hub: Lens.copy, spoke: OldLens.together }\n' +
      '- rename: { hub: From.own, spoke: Old.lens }\n- rename: { hub: spec.hub.copy, spoke: spec.put.get }',
  },
  'default: all elements, and those that rules make': {
    hub: spec(
      '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string, f: { type: string, rules: [required] } } } }, m: { type: map, values: { type: object, fields: { v: string, f: { type: integer, rules: [required] } } } } }',
    ),
    spoke: spec(
      '{ cpu: string, l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string } } }, a: string }',
    ),
    rules:
      '- rename: { hub: "spec.l[name=cpu].v", spoke: spec.cpu }\n- default: { hub: "spec.l[].f", value: d }\n' +
      '- rename: { hub: "spec.m{a}.v", spoke: spec.a }\n- default: { hub: "spec.m{}.f", value: 1 }',
  },
  'default: of the spoke, in elements and entries that rules make': {
    hub: spec('{ cpu: string, a: string }'),
    spoke: spec(
      '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string, f: { type: string, rules: [required] } } } }, m: { type: map, values: { type: object, fields: { v: string, f: { type: integer, rules: [required] } } } } }',
    ),
    rules:
      '- rename: { hub: spec.cpu, spoke: "spec.l[name=cpu].v" }\n- default: { spoke: "spec.l[].f", value: d }\n' +
      '- rename: { hub: spec.a, spoke: "spec.m{a}.v" }\n- default: { spoke: "spec.m{}.f", value: 1 }',
  },
  'default: a field that this version has in an element of a list': {
    hub: spec('{ n: integer, s: string }'),
    spoke: spec(
      '{ b: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer, o: { type: object, fields: { w: string } } } } } }',
    ),
    rules:
      '- rename: { hub: spec.n, spoke: "spec.b[k=x].v" }\n- default: { hub: spec.n, value: 5 }\n' +
      '- rename: { hub: spec.s, spoke: "spec.b[k=y].o.w" }\n- default: { hub: spec.s, value: d }',
  },
  'a default of a field that this version has in an element of a list': {
    hub: spec('{ n: { type: integer, default: 5 }, s: { type: string, default: d } }'),
    spoke: spec(
      '{ b: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer, o: { type: object, fields: { w: string } } } } } }',
    ),
    rules:
      '- rename: { hub: spec.n, spoke: "spec.b[k=x].v" }\n- rename: { hub: spec.s, spoke: "spec.b[k=y].o.w" }',
  },
  'rename: fields of an object and entries of a map of the same path': {
    hub: spec('{ m: { type: object, fields: { a: string, b: string, h: integer } }, x: string }'),
    spoke: spec('{ m: { type: map, values: string }, x: string }'),
    rules:
      '- rename: { hub: spec.m.a, spoke: "spec.m{a}" }\n- rename: { hub: spec.m.b, spoke: "spec.m{bee}" }',
  },
  'rename: entries of a map and fields of an object of the same path': {
    hub: spec('{ m: { type: map, values: integer } }'),
    spoke: spec('{ m: { type: object, fields: { a: integer, s: string } } }'),
    rules: '- rename: { hub: "spec.m{a}", spoke: spec.m.a }',
  },
  'rename: a field of an object and a value of the same path': {
    hub: spec('{ build: { type: object, fields: { context: string, target: string } } }'),
    spoke: spec('{ build: string }'),
    rules: '- rename: { hub: spec.build.context, spoke: spec.build }',
  },
  'rename: a field of elements and values of the same path': {
    hub: spec(
      '{ env: { type: list, items: { type: object, fields: { path: { type: string, rules: [required] }, h: boolean } } } }',
    ),
    spoke: spec('{ env: { type: list, items: string } }'),
    rules: '- rename: { hub: "spec.env[].path", spoke: "spec.env[]" }',
  },
  'an element that both versions name, its key converted by map': {
    hub: spec(
      '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required, oneof=a b c] }, n: integer, h: string } } } }',
    ),
    spoke: spec(
      '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required, oneof=x y z] }, n: integer, s: string } } } }',
    ),
    rules:
      '- map: { hub: "spec.l[].name", spoke: "spec.l[].name", values: { a: x, b: y, c: z } }\n- scale: { hub: "spec.l[name=a].n", spoke: "spec.l[name=x].n", factor: 10 }',
  },
  'an element that both versions name, its key converted by scale and cast': {
    hub: spec(
      '{ l: { type: list, key: id, items: { type: object, fields: { id: { type: integer, rules: [required] }, n: integer } } }, k: { type: list, key: id, items: { type: object, fields: { id: { type: string, rules: [required] }, n: integer } } } }',
    ),
    spoke: spec(
      '{ l: { type: list, key: id, items: { type: object, fields: { id: { type: integer, rules: [required] }, n: string } } }, k: { type: list, key: id, items: { type: object, fields: { id: { type: integer, rules: [required] }, n: integer } } } }',
    ),
    rules:
      '- scale: { hub: "spec.l[].id", spoke: "spec.l[].id", factor: 10 }\n- cast: { hub: "spec.l[].n", spoke: "spec.l[].n" }\n' +
      '- cast: { hub: "spec.k[].id", spoke: "spec.k[].id", otherwise: { spoke: 0 } }\n- scale: { hub: "spec.k[id=8].n", spoke: "spec.k[id=8].n", factor: 10 }',
  },
  'wrap: a value with a default, and a list of this version': {
    hub: spec(
      '{ n: { type: integer, default: 4 }, p: integer, o: { type: object, fields: { m: { type: string, default: d } } } }',
    ),
    spoke: spec(
      '{ b: { type: list, items: integer }, p: { type: list, items: integer }, o: { type: object, fields: { m: { type: list, items: string } } } }',
    ),
    rules:
      '- wrap: { hub: spec.n, spoke: spec.b }\n- wrap: { hub: spec.o.m, spoke: spec.o.m }\n- wrap: { hub: spec.p, spoke: spec.p }\n- default: { hub: spec.p, value: 5 }',
  },
  'wrap: an object, and a list of this version with a dropped field': {
    hub: spec(
      '{ a: { type: object, fields: { v: integer, m: { type: map, values: { type: object, fields: { y: string } } } } } }',
    ),
    spoke: spec(
      '{ a: { type: list, items: { type: object, fields: { v: integer, x: string, o: { type: object, fields: { z: integer } }, m: { type: map, values: { type: object, fields: { y: string, z: string } } } } } } }',
    ),
    rules:
      '- wrap: { hub: spec.a, spoke: spec.a }\n- drop: { spoke: "spec.a[].x" }\n- drop: { spoke: "spec.a[].o.z" }\n- drop: { spoke: "spec.a[].m{}.z" }',
  },
  'rename: a field': {
    hub: spec('{ location: string, x: integer }'),
    spoke: spec('{ site: string, x: integer }'),
    rules: '- rename: { hub: spec.location, spoke: spec.site }',
  },
  'rename: two fields change places': {
    hub: spec('{ a: string, b: string }'),
    spoke: spec('{ a: string, b: string }'),
    rules: '- rename: { hub: spec.a, spoke: spec.b }\n- rename: { hub: spec.b, spoke: spec.a }',
  },
  'rename: hoisting out of an object': {
    hub: spec('{ net: { type: object, fields: { host: string, port: integer, mtu: integer } } }'),
    spoke: spec('{ host: string, port: integer }'),
    rules:
      '- rename: { hub: spec.net.host, spoke: spec.host }\n- rename: { hub: spec.net.port, spoke: spec.port }',
  },
  'rename: hoisting into an object': {
    hub: spec('{ host: string, port: integer }'),
    spoke: spec('{ net: { type: object, fields: { host: string, port: integer, mtu: integer } } }'),
    rules:
      '- rename: { hub: spec.host, spoke: spec.net.host }\n- rename: { hub: spec.port, spoke: spec.net.port }',
  },
  'rename: out of an object that both have': {
    hub: spec(
      '{ net: { type: object, fields: { host: string, mtu: integer, h: string, sub: { type: object, fields: { x: string, y: integer } } } } }',
    ),
    spoke: spec('{ host: string, x: string, net: { type: object, fields: { mtu: integer, s: string } } }'),
    rules:
      '- rename: { hub: spec.net.host, spoke: spec.host }\n- rename: { hub: spec.net.sub.x, spoke: spec.x }',
  },
  'rename: into an object that both have': {
    hub: spec('{ host: string, net: { type: object, fields: { mtu: integer, h: string } } }'),
    spoke: spec(
      '{ net: { type: object, fields: { host: string, mtu: integer, s: { type: string, default: d } } } }',
    ),
    rules: '- rename: { hub: spec.host, spoke: spec.net.host }',
  },
  'rename: a required object that only one has': {
    hub: spec('{ net: { type: object, rules: [required], fields: { host: string } } }'),
    spoke: spec(
      '{ host: string, box: { type: object, rules: [required], fields: { x: string } }, y: string }',
    ),
    rules: '- rename: { hub: spec.net.host, spoke: spec.box.x }',
  },
  'rename: required objects in optional ones': {
    hub: spec(
      '{ net: { type: object, fields: { in: { type: object, rules: [required], fields: { host: string, kind: { type: string, rules: [required] }, l: { type: list, key: name, rules: [required], items: { type: object, fields: { name: string, v: string } } } } } } }, x: string }',
    ),
    spoke: spec(
      '{ host: string, v: string, box: { type: object, fields: { in: { type: object, rules: [required], fields: { x: string, s: { type: string, default: d } } }, y: string } } }',
    ),
    rules:
      '- rename: { hub: spec.net.in.host, spoke: spec.host }\n- default: { hub: spec.net.in.kind, value: k }\n- rename: { hub: "spec.net.in.l[name=a].v", spoke: spec.v }\n- rename: { hub: spec.x, spoke: spec.box.in.x }',
  },
  'rename: an object and a field in it': {
    hub: spec('{ network: { type: object, fields: { host: string, mtu: integer, h: string } } }'),
    spoke: spec('{ net: { type: object, fields: { name: string, mtu: integer, s: string } } }'),
    rules:
      '- rename: { hub: spec.network, spoke: spec.net }\n- rename: { hub: spec.network.host, spoke: spec.net.name }',
  },
  'rename: an object, and a field out of it': {
    hub: spec('{ network: { type: object, fields: { host: string, mtu: integer, h: string } } }'),
    spoke: spec('{ net: { type: object, fields: { mtu: integer, s: string } }, name: string }'),
    rules:
      '- rename: { hub: spec.network, spoke: spec.net }\n- rename: { hub: spec.network.host, spoke: spec.name }',
  },
  'rename: a list and a field of its elements': {
    hub: spec(`{ ports: { type: list, key: name, items: { type: object, fields: ${PORT} } } }`),
    spoke: spec(
      '{ in: { type: object, fields: { listeners: { type: list, key: id, items: { type: object, fields: { id: { type: string, rules: [required] }, port: integer, note: string } } } } } }',
    ),
    rules:
      '- rename: { hub: spec.ports, spoke: spec.in.listeners }\n- rename: { hub: "spec.ports[].name", spoke: "spec.in.listeners[].id" }\n- rename: { hub: "spec.ports[].number", spoke: "spec.in.listeners[].port" }',
  },
  'rename: hoisting inside elements': {
    hub: spec(
      '{ l: { type: list, items: { type: object, fields: { a: { type: object, fields: { b: string, h: string } }, c: { type: list, items: { type: object, fields: { x: integer } } } } } } }',
    ),
    spoke: spec(
      '{ l: { type: list, items: { type: object, fields: { b: string, c: { type: list, items: { type: object, fields: { y: integer, s: string } } } } } } }',
    ),
    rules:
      '- rename: { hub: "spec.l[].a.b", spoke: "spec.l[].b" }\n- rename: { hub: "spec.l[].c[].x", spoke: "spec.l[].c[].y" }',
  },
  'rename: elements themselves': {
    hub: spec(
      '{ hosts: { type: list, items: string }, all: { type: list, items: { type: object, fields: { ip: { type: string, rules: [required] }, h: string } } } }',
    ),
    spoke: spec(
      '{ hosts: { type: list, items: { type: object, fields: { name: { type: string, rules: [required] }, s: string } } }, all: { type: list, items: string } }',
    ),
    rules:
      '- rename: { hub: "spec.hosts[]", spoke: "spec.hosts[].name" }\n- rename: { hub: "spec.all[].ip", spoke: "spec.all[]" }',
  },
  'rename: the element with a key': {
    hub: spec(
      '{ metrics: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, kind: { type: string, rules: [required] }, target: { type: object, fields: { mode: string, average: integer } } } } } }',
    ),
    spoke: spec('{ cpu: integer, memory: integer }'),
    rules:
      '- rename: { hub: "spec.metrics[name=cpu].target.average", spoke: spec.cpu }\n- rename: { hub: "spec.metrics[name=memory].target.average", spoke: spec.memory }\n- default: { hub: "spec.metrics[name=cpu].kind", value: Resource }\n- default: { hub: "spec.metrics[name=memory].kind", value: Resource }\n- default: { hub: "spec.metrics[name=cpu].target.mode", value: Utilization }',
  },
  'rename: the element with a key, in a list that both have': {
    hub: spec(
      '{ metrics: { type: list, key: port, items: { type: object, fields: { port: { type: integer, rules: [required, "min=0", "max=3"] }, value: integer, h: string } } } }',
    ),
    spoke: spec(
      '{ cpu: integer, metrics: { type: list, key: port, items: { type: object, fields: { port: { type: integer, rules: [required, "min=0", "max=3"] }, value: integer, s: string } } } }',
    ),
    rules: '- rename: { hub: "spec.metrics[port=1].value", spoke: spec.cpu }',
  },
  'rename: in the element with a key on both sides': {
    hub: spec(
      '{ metrics: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required, "oneof=cpu memory disk"] }, a: integer, b: integer } } } }',
    ),
    spoke: spec(
      '{ metrics: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required, "oneof=cpu memory disk"] }, a: integer, b: integer } } } }',
    ),
    rules:
      '- rename: { hub: "spec.metrics[name=cpu].a", spoke: "spec.metrics[name=cpu].b" }\n- rename: { hub: "spec.metrics[name=cpu].b", spoke: "spec.metrics[name=cpu].a" }',
  },
  'rename: the element with a key, in the spoke': {
    hub: spec('{ cpu: integer, memory: { type: object, fields: { limit: string } } }'),
    spoke: spec(
      '{ metrics: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required, "oneof=cpu memory disk net"] }, value: integer, limit: string, note: string } } } }',
    ),
    rules:
      '- rename: { hub: spec.cpu, spoke: "spec.metrics[name=cpu].value" }\n- rename: { hub: spec.memory.limit, spoke: "spec.metrics[name=memory].limit" }',
  },
  'rename: the element with a key in quotes': {
    hub: spec('{ a: string, b: string }'),
    spoke: spec(
      '{ l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, a: string, b: string } } } }',
    ),
    rules:
      "- rename: { hub: spec.a, spoke: 'spec.l[k=\"q\"].a' }\n- rename: { hub: spec.b, spoke: 'spec.l[k=q].b' }",
  },
  'rename: a whole element': {
    hub: spec(
      '{ metrics: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, a: integer, h: integer } } } }',
    ),
    spoke: spec('{ cpu: { type: object, fields: { a: integer, s: string } } }'),
    rules: '- rename: { hub: "spec.metrics[name=cpu]", spoke: spec.cpu }',
  },
  'rename: entries of maps': {
    hub: spec('{ limits: { type: map, values: string }, both: { type: map, values: integer } }'),
    spoke: spec('{ cpu: string, a: integer, both: { type: map, values: integer } }'),
    rules:
      '- rename: { hub: "spec.limits{cpu}", spoke: spec.cpu }\n- rename: { hub: "spec.both{a}", spoke: spec.a }',
  },
  'rename: elements and entries of required lists and maps': {
    hub: spec(
      '{ m: { type: map, values: integer, rules: [required] }, o: { type: object, fields: { l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } }, rules: [required] } } } }',
    ),
    spoke: spec(
      '{ m: { type: map, values: integer }, cpu: integer, o: { type: object, fields: { l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } } } }, a: integer }',
    ),
    rules:
      '- rename: { hub: "spec.m{cpu}", spoke: spec.cpu }\n- rename: { hub: "spec.o.l[k=a].v", spoke: spec.a }',
  },
  'rename: entries of maps, in the spoke': {
    hub: spec('{ cpu: string, a: integer, both: { type: map, values: integer } }'),
    spoke: spec('{ limits: { type: map, values: string }, both: { type: map, values: integer } }'),
    rules:
      '- rename: { hub: spec.cpu, spoke: "spec.limits{cpu}" }\n- rename: { hub: spec.a, spoke: "spec.both{a}" }',
  },
  'rename: a map, and an entry out of it': {
    hub: spec('{ m: { type: map, values: integer } }'),
    spoke: spec('{ n: { type: map, values: integer }, a: integer }'),
    rules: '- rename: { hub: "spec.m{a}", spoke: spec.a }\n- rename: { hub: spec.m, spoke: spec.n }',
  },
  'rename: values of maps': {
    hub: spec(
      '{ m: { type: map, values: { type: object, fields: { a: string, l: { type: list, items: { type: object, fields: { x: string } } } } } } }',
    ),
    spoke: spec(
      '{ m: { type: map, values: { type: object, fields: { b: string, l: { type: list, items: { type: object, fields: { y: string } } } } } } }',
    ),
    rules:
      '- rename: { hub: "spec.m{}.a", spoke: "spec.m{}.b" }\n- rename: { hub: "spec.m{}.l[].x", spoke: "spec.m{}.l[].y" }',
  },
  'rename: shared types that contain themselves': {
    types: `Node: ${NODE}\nLeaf: { label: string, leaves: { type: list, items: Leaf }, note: string }`,
    hub: spec('{ tree: Node, other: Node }'),
    spoke: spec('{ tree: Leaf, other: Node }'),
    rules:
      '- rename: { hub: Node.name, spoke: Leaf.label }\n- rename: { hub: Node.children, spoke: Leaf.leaves }',
  },
  map: {
    hub: spec('{ tier: { type: string, rules: ["oneof=gold silver bronze"] } }'),
    spoke: spec('{ level: { type: integer, rules: ["oneof=1 2 3"] } }'),
    rules: '- map: { hub: spec.tier, spoke: spec.level, values: { gold: 1, silver: 2, bronze: 3 } }',
  },
  'map: several to one, and otherwise': {
    hub: spec(
      '{ mode: { type: string, rules: ["oneof=Fast Quick Safe"] }, free: string, on: boolean, n: { type: integer, rules: ["oneof=1 2"] } }',
    ),
    spoke: spec(
      '{ mode: { type: string, rules: ["oneof=fast safe slow"] }, free: { type: string, rules: ["oneof=x y"] }, on: { type: string, rules: ["oneof=yes no"] }, n: boolean }',
    ),
    rules:
      '- map: { hub: spec.mode, spoke: spec.mode, values: { Fast: fast, Quick: fast, Safe: safe }, otherwise: { hub: Safe } }\n- map: { hub: spec.free, spoke: spec.free, values: { "": x }, otherwise: { hub: z, spoke: y } }\n- map: { hub: spec.on, spoke: spec.on, values: { "true": "yes", "false": "no" } }\n- map: { hub: spec.n, spoke: spec.n, values: { "1": true, "2": false } }',
  },
  scale: {
    hub: spec('{ ms: integer, ratio: number, x: integer, y: number, l: { type: list, items: integer } }'),
    spoke: spec('{ s: integer, percent: integer, x: number, y: number, l: { type: list, items: integer } }'),
    rules:
      '- scale: { hub: spec.ms, spoke: spec.s, factor: 1000 }\n- scale: { hub: spec.ratio, spoke: spec.percent, factor: 0.01 }\n- scale: { hub: spec.x, spoke: spec.x, factor: 3 }\n- scale: { hub: spec.y, spoke: spec.y, factor: -1.0e-300 }\n- scale: { hub: "spec.l[]", spoke: "spec.l[]", factor: 7 }',
  },
  cast: {
    hub: spec(
      '{ port: string, ratio: number, on: boolean, n: integer, flag: string, m: { type: map, values: string } }',
    ),
    spoke: spec(
      '{ port: integer, ratio: string, on: string, n: string, flag: boolean, m: { type: map, values: integer } }',
    ),
    rules:
      '- cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } }\n- cast: { hub: spec.ratio, spoke: spec.ratio }\n- cast: { hub: spec.on, spoke: spec.on }\n- cast: { hub: spec.n, spoke: spec.n }\n- cast: { hub: spec.flag, spoke: spec.flag, otherwise: { spoke: false } }\n- cast: { hub: "spec.m{}", spoke: "spec.m{}", otherwise: { spoke: -1 } }',
  },
  'cast: durations': {
    hub: spec('{ timeout: string, wait: integer, exact: number, lease: string }'),
    spoke: spec('{ timeoutSeconds: integer, wait: string, exact: string, lease: number }'),
    rules:
      '- cast: { hub: spec.timeout, spoke: spec.timeoutSeconds, format: duration, otherwise: { spoke: 0 } }\n- cast: { hub: spec.wait, spoke: spec.wait, format: duration }\n- cast: { hub: spec.exact, spoke: spec.exact, format: duration }\n- cast: { hub: spec.lease, spoke: spec.lease, format: duration, otherwise: { spoke: 1.5 } }',
  },
  'wrap: a list in the hub': {
    hub: spec(
      '{ addresses: { type: list, items: string }, needed: { type: list, rules: [required], items: integer } }',
    ),
    spoke: spec('{ address: string, needed: integer }'),
    rules:
      '- wrap: { hub: spec.addresses, spoke: spec.address }\n- wrap: { hub: spec.needed, spoke: spec.needed }',
  },
  'wrap: a list in the spoke': {
    hub: spec('{ address: string, needed: integer }'),
    spoke: spec(
      '{ addresses: { type: list, items: string }, needed: { type: list, rules: [required], items: integer } }',
    ),
    rules:
      '- wrap: { hub: spec.address, spoke: spec.addresses }\n- wrap: { hub: spec.needed, spoke: spec.needed }',
  },
  'wrap: objects': {
    hub: spec(
      '{ addresses: { type: list, items: { type: object, fields: { street: string, h: string } } }, owner: { type: object, fields: { name: string, h: string } } }',
    ),
    spoke: spec(
      '{ address: { type: object, fields: { road: string, s: string } }, owners: { type: list, key: name, items: { type: object, fields: { name: string, s: integer } } } }',
    ),
    rules:
      '- wrap: { hub: spec.addresses, spoke: spec.address }\n- rename: { hub: "spec.addresses[].street", spoke: spec.address.road }\n- wrap: { hub: spec.owner, spoke: spec.owners }',
  },
  'wrap: with a rule for the element': {
    hub: spec(
      '{ l: { type: list, items: { type: list, items: integer } }, ports: { type: list, items: string } }',
    ),
    spoke: spec('{ l: { type: list, items: integer }, port: integer }'),
    rules:
      '- wrap: { hub: "spec.l[]", spoke: "spec.l[]" }\n- wrap: { hub: spec.ports, spoke: spec.port }\n- cast: { hub: "spec.ports[]", spoke: spec.port, otherwise: { spoke: 1 } }',
  },
  'join: several fields in the hub': {
    hub: spec(
      '{ first: string, middle: string, name: { type: object, fields: { last: string, h: string } } }',
    ),
    spoke: spec('{ full: string }'),
    rules: '- join: { hub: [spec.first, spec.middle, spec.name.last], spoke: spec.full, separator: " " }',
  },
  'join: several fields in the spoke': {
    hub: spec('{ full: string }'),
    spoke: spec('{ first: string, name: { type: object, fields: { last: string, s: string } } }'),
    rules: '- join: { hub: spec.full, spoke: [spec.first, spec.name.last], separator: ", " }',
  },
  'join: a list': {
    hub: spec('{ args: { type: list, items: string }, command: string }'),
    spoke: spec('{ args: string, command: { type: list, items: string } }'),
    rules:
      '- join: { hub: spec.args, spoke: spec.args, separator: " " }\n- join: { hub: spec.command, spoke: spec.command, separator: " " }',
  },
  'index: a map in the hub': {
    hub: spec(
      '{ labels: { type: map, values: string }, m: { type: map, values: { type: object, fields: { a: string, h: string } } } }',
    ),
    spoke: spec(
      '{ labels: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: { type: string, rules: [required] } } } }, m: { type: list, key: id, items: { type: object, fields: { b: string, id: { type: string, rules: [required] }, s: integer } } } }',
    ),
    rules:
      '- index: { hub: spec.labels, spoke: spec.labels }\n- index: { hub: spec.m, spoke: spec.m }\n- rename: { hub: "spec.m{}.a", spoke: "spec.m[].b" }',
  },
  'index: a list in the hub': {
    hub: spec(
      '{ labels: { type: list, key: name, items: { type: object, fields: { name: string, value: string, h: string } } }, m: { type: list, key: id, items: { type: object, fields: { b: string, id: { type: integer, rules: [required] }, h: integer } } } }',
    ),
    spoke: spec(
      '{ labels: { type: map, values: string }, m: { type: map, values: { type: object, fields: { a: string, s: string } } } }',
    ),
    rules:
      '- index: { hub: spec.labels, spoke: spec.labels }\n- rename: { hub: "spec.labels[].value", spoke: "spec.labels{}" }\n- index: { hub: spec.m, spoke: spec.m }\n- rename: { hub: "spec.m[].b", spoke: "spec.m{}.a" }',
  },
  'rename: an element and an entry inside an object that both versions have': {
    hub: spec(
      '{ a: { type: object, fields: { w: string, kids: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } }, m: { type: map, values: { type: object, fields: { v: integer } } } } } }',
    ),
    spoke: spec(
      '{ b: { type: object, fields: { w: string, kids: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } }, m: { type: map, values: { type: object, fields: { v: integer } } } } }, n: integer, o: integer }',
    ),
    rules:
      '- rename: { hub: spec.a, spoke: spec.b }\n- rename: { hub: "spec.a.kids[k=x].v", spoke: spec.n }\n- rename: { hub: "spec.a.m{y}.v", spoke: spec.o }',
  },
  'rename: an element as an object, and a field of it elsewhere': {
    hub: spec(
      '{ parts: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, x: string, y: string } } } }',
    ),
    spoke: spec('{ first: { type: object, fields: { name: string, y: string } }, other: string }'),
    rules:
      '- rename: { hub: "spec.parts[name=a]", spoke: spec.first }\n- rename: { hub: "spec.parts[name=a].x", spoke: spec.other }',
  },
  'rename: an entry and a field exchanged': {
    hub: spec('{ a: { type: map, values: integer }, n: integer }'),
    spoke: spec('{ a: { type: map, values: integer }, n: integer }'),
    rules: '- rename: { hub: spec.n, spoke: "spec.a{y}" }\n- rename: { hub: "spec.a{y}", spoke: spec.n }',
  },
  'index, and fields of single entries and elements': {
    hub: spec(
      '{ m: { type: map, values: integer }, o: { type: map, values: { type: object, fields: { v: integer, w: string } } }, l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer, w: string } } }, n: { type: list, key: k, items: { type: object, fields: { k: { type: integer, rules: [required] }, v: integer } } } }',
    ),
    spoke: spec(
      '{ m: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: integer } } }, a: integer, o: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer, w: string } } }, b: integer, l: { type: map, values: { type: object, fields: { v: integer, w: string } } }, c: integer, n: { type: map, values: integer }, d: integer }',
    ),
    rules: `- index: { hub: spec.m, spoke: spec.m }
- rename: { hub: "spec.m{a}", spoke: spec.a }
- index: { hub: spec.o, spoke: spec.o }
- rename: { hub: "spec.o{b}.v", spoke: spec.b }
- index: { hub: spec.l, spoke: spec.l }
- rename: { hub: "spec.l[k=c].v", spoke: spec.c }
- index: { hub: spec.n, spoke: spec.n }
- rename: { hub: "spec.n[k=1].v", spoke: spec.d }`,
  },
  'fields that stand for elements and entries, and may be absent': {
    hub: spec(
      '{ l: { type: list, items: { type: object, fields: { x: string, h: string } } }, k: { type: list, key: id, items: { type: object, fields: { id: { type: string, rules: [required] }, v: string, h: string } } }, m: { type: map, values: { type: object, fields: { x: integer, h: string } } }, p: { type: list, items: string }, q: { type: map, values: string }, i: { type: map, values: string }, w: { type: object, fields: { x: string, h: string } }, f: { type: list, items: string } }',
    ),
    spoke: spec(
      '{ l: { type: list, items: string }, k: { type: map, values: string }, m: { type: map, values: integer }, p: { type: list, items: { type: object, fields: { x: string, s: string } } }, q: { type: map, values: { type: object, fields: { x: string, s: string } } }, i: { type: list, key: id, items: { type: object, fields: { id: { type: string, rules: [required] }, v: string, s: string } } }, w: { type: list, items: string }, f: { type: object, fields: { x: string, s: string } } }',
    ),
    rules: `- rename: { hub: "spec.l[].x", spoke: "spec.l[]" }
- index: { hub: spec.k, spoke: spec.k }
- rename: { hub: "spec.k[].v", spoke: "spec.k{}" }
- rename: { hub: "spec.m{}.x", spoke: "spec.m{}" }
- rename: { hub: "spec.p[]", spoke: "spec.p[].x" }
- rename: { hub: "spec.q{}", spoke: "spec.q{}.x" }
- index: { hub: spec.i, spoke: spec.i }
- rename: { hub: "spec.i{}", spoke: "spec.i[].v" }
- wrap: { hub: spec.w, spoke: spec.w }
- rename: { hub: spec.w.x, spoke: "spec.w[]" }
- wrap: { hub: spec.f, spoke: spec.f }
- rename: { hub: "spec.f[]", spoke: spec.f.x }`,
  },
  'default: of the key of elements, next to one that a rule makes': {
    hub: spec(
      '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } } }',
    ),
    spoke: spec(
      '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } }, n: integer }',
    ),
    rules:
      '- scale: { hub: "spec.a[k=y].v", spoke: spec.n, factor: 10 }\n- default: { hub: "spec.a[].k", value: d }',
  },
  'default: of the hub, for fields that are deeper in the version': {
    hub: spec('{ region: { type: string, rules: [required] }, n: integer }'),
    spoke: spec(
      '{ place: { type: object, fields: { geo: { type: object, fields: { region: string } } } }, b: { type: map, values: { type: object, fields: { v: integer } } } }',
    ),
    rules: `- rename: { hub: spec.region, spoke: spec.place.geo.region }
- default: { hub: spec.region, value: eu }
- rename: { hub: spec.n, spoke: "spec.b{x}.v" }
- default: { hub: spec.n, value: 5 }`,
  },
  'default: of the hub': {
    hub: spec(
      '{ region: { type: string, rules: [required] }, l: { type: list, items: { type: object, fields: { a: string, h: { type: integer, rules: [required] } } } }, o: { type: object, fields: { a: string, h: { type: string, rules: [required] } } }, n: { type: object, rules: [required], fields: { x: string, y: string } } }',
    ),
    spoke: spec(
      '{ l: { type: list, items: { type: object, fields: { a: string } } }, o: { type: object, fields: { a: string } }, x: string }',
    ),
    rules:
      '- default: { hub: spec.region, value: eu-1 }\n- default: { hub: "spec.l[].h", value: 7 }\n- default: { hub: spec.o.h, value: new }\n- rename: { hub: spec.n.x, spoke: spec.x }\n- default: { hub: spec.n.y, value: z }',
  },
  'default: of the hub, for a field that both have': {
    hub: spec('{ region: { type: string, rules: [required] } }'),
    spoke: spec('{ region: string }'),
    rules: '- default: { hub: spec.region, value: eu-1 }',
  },
  'default: of the spoke': {
    hub: spec('{ mode: string, l: { type: list, items: { type: object, fields: { a: string } } } }'),
    spoke: spec(
      '{ mode: { type: string, rules: [required] }, id: { type: any, rules: [required] }, l: { type: list, items: { type: object, fields: { a: string, s: { type: string, rules: [required] } } } } }',
    ),
    rules:
      '- default: { spoke: spec.mode, value: safe }\n- default: { spoke: spec.id, value: { a: [1] } }\n- default: { spoke: "spec.l[].s", value: s }',
  },
  drop: {
    hub: spec('{ a: string, legacyId: string }'),
    spoke: spec(
      '{ a: string, legacyId: integer, o: { type: object, fields: { x: string, y: string } }, l: { type: list, items: { type: object, fields: { z: string } } } }',
    ),
    rules: '- drop: { spoke: spec.legacyId }\n- drop: { spoke: spec.o.x }\n- drop: { spoke: spec.l }',
  },
  'drop: with a default': {
    hub: spec('{ a: string, o: { type: object, fields: { h: string } } }'),
    spoke: spec(
      '{ a: string, q: { type: string, rules: [required], default: 10MB }, o: { type: object, fields: { x: { type: integer, default: 1 }, s: string } }, l: { type: list, items: { type: object, fields: { z: { type: string, default: z } } } } }',
    ),
    rules: '- drop: { spoke: spec.q }\n- drop: { spoke: spec.o.x }',
  },
  custom: {
    hub: spec(
      '{ lat: number, lon: number, l: { type: list, items: { type: object, fields: { lat: number, lon: number, h: string } } } }',
    ),
    spoke: spec(
      '{ position: string, l: { type: list, items: { type: object, fields: { position: string } } } }',
    ),
    rules:
      '- custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position }\n- custom: { hub: ["spec.l[].lat", "spec.l[].lon"], spoke: ["spec.l[].position"], name: position }',
    user: position,
  },
};
