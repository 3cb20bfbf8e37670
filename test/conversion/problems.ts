import type { Given } from './harness';

/** Refused projects, each with one mistake; the messages are in problems.txt. */
export const PROBLEMS: { [name: string]: Given } = {};

const both = (fields: string) => ({ hub: `spec: ${fields}`, spoke: `spec: ${fields}` });
const versions = (hub: string, spoke: string) => ({ hub: `spec: ${hub}`, spoke: `spec: ${spoke}` });
const refuse = (name: string, given: Given) => (PROBLEMS[name] = given);

// Fields without a rule.
refuse(
  'a field that is required in the hub alone',
  versions('{ site: { type: string, rules: [required] } }', '{}'),
);
refuse(
  'a field that is required in the hub alone, and a likely rename',
  versions(
    '{ location: { type: string, rules: [required] } }',
    '{ site: string, place: integer, loc: string }',
  ),
);
refuse(
  'a field that is required in the spoke alone',
  versions(
    '{ net: { type: object, fields: { host: string } } }',
    '{ host: { type: string, rules: [required] } }',
  ),
);
refuse(
  'required fields at depth',
  versions(
    '{ l: { type: list, items: { type: object, fields: { a: string, h: { type: integer, rules: [required] } } } } }',
    '{ l: { type: list, items: { type: object, fields: { a: string, s: { type: map, values: string, rules: [required] } } } } }',
  ),
);
refuse(
  'a required field of elements, and one like it in another list',
  versions(
    '{ a: { type: list, items: { type: object, fields: { x: { type: string, rules: [required] }, q: integer } } }, b: { type: list, items: { type: object, fields: { q: integer } } } }',
    '{ a: { type: list, items: { type: object, fields: { q: integer } } }, b: { type: list, items: { type: object, fields: { y: string, q: integer } } } }',
  ),
);
refuse('a required field in a shared type', {
  types: 'A: { x: string, y: { type: string, rules: [required] } }\nB: { x: string, y: integer }',
  ...versions('{ t: A }', '{ t: B }'),
});
refuse(
  'defaults that the rules of the storage version refuse',
  versions(
    '{ a: { type: string, rules: [max=2] }, t: timestamp, o: { type: object, fields: { m: { type: string, rules: ["oneof=x y"] } } } }',
    '{ a: { type: string, default: abc }, t: { type: string, default: soon }, o: { type: object, fields: { m: { type: string, default: z } } } }',
  ),
);
refuse('a default that a scale makes too large', {
  ...versions('{ ms: { type: integer, rules: [max=100] } }', '{ s: { type: integer, default: 5 } }'),
  rules: '- scale: { hub: spec.ms, spoke: spec.s, factor: 1000 }',
});
refuse('string and integer', versions('{ port: string }', '{ port: integer }'));
refuse('integer and string', versions('{ port: integer }', '{ port: string }'));
refuse('integer and number', versions('{ n: integer }', '{ n: number }'));
refuse('boolean and integer', versions('{ n: boolean }', '{ n: integer }'));
refuse(
  'two enumerations of other types',
  versions('{ n: boolean }', '{ n: { type: string, rules: ["oneof=yes no"] } }'),
);
refuse('a list and its element', versions('{ n: { type: list, items: integer } }', '{ n: integer }'));
refuse('a string and a list of strings', versions('{ n: string }', '{ n: { type: list, items: string } }'));
refuse(
  'a map and a list',
  versions(
    '{ "n": { type: map, values: string } }',
    '{ n: { type: list, key: name, items: { type: object, fields: { name: string, value: string } } } }',
  ),
);
refuse('an object and a string', versions('{ n: { type: object, fields: { a: string } } }', '{ n: string }'));
refuse(
  'elements of other types',
  versions('{ n: { type: list, items: string } }', '{ n: { type: list, items: boolean } }'),
);
refuse('any and a string', versions('{ n: any }', '{ n: string }'));

// Rules that are none.
refuse('an unknown rule', { ...both('{ a: string }'), rules: '- renam: { hub: spec.a, spoke: spec.a }' });
refuse('two rules in one entry', {
  ...both('{ a: string, b: string }'),
  rules: '- drop: { spoke: spec.a }\n  default: { spoke: spec.b, value: x }',
});
refuse('an unknown member', { ...both('{ a: string }'), rules: '- rename: { hub: spec.a, spok: spec.a }' });
refuse('a side that is missing', { ...both('{ a: string }'), rules: '- rename: { hub: spec.a }' });
refuse('map without values', { ...both('{ a: string }'), rules: '- map: { hub: spec.a, spoke: spec.a }' });
refuse('default of both sides', {
  ...both('{ a: string }'),
  rules: '- default: { hub: spec.a, spoke: spec.a, value: x }',
});
refuse('drop of the hub', { ...both('{ a: string }'), rules: '- drop: { hub: spec.a }' });
refuse('a factor of 0', {
  ...both('{ a: integer }'),
  rules: '- scale: { hub: spec.a, spoke: spec.a, factor: 0 }',
});
refuse('an empty separator', {
  ...both('{ a: string, b: string, c: string }'),
  rules: '- join: { hub: [spec.a, spec.b], spoke: spec.c, separator: "" }',
});
refuse('an unknown format', {
  ...both('{ a: string }'),
  rules: '- cast: { hub: spec.a, spoke: spec.a, format: time }',
});
refuse('a name that starts no function', {
  ...both('{ a: string }'),
  rules: '- custom: { hub: [spec.a], spoke: [spec.a], name: Not-A-Name }',
});

// Paths.
refuse('a path that is none', {
  ...both('{ a: string }'),
  rules: '- rename: { hub: "spec..a", spoke: spec.a }',
});
refuse('a path without a field', {
  ...both('{ a: string }'),
  rules: '- rename: { hub: spec, spoke: spec.a }',
});
refuse('an unknown start', { ...both('{ a: string }'), rules: '- rename: { hub: specs.a, spoke: spec.a }' });
refuse('a field that is not there', {
  ...both('{ location: string }'),
  rules: '- rename: { hub: spec.locaton, spoke: spec.location }',
});
refuse('a list without brackets', {
  ...both('{ l: { type: list, items: { type: object, fields: { a: string } } } }'),
  rules: '- rename: { hub: spec.l.a, spoke: "spec.l[].a" }',
});
refuse('brackets on a map', {
  ...both('{ m: { type: map, values: { type: object, fields: { a: string } } } }'),
  rules: '- rename: { hub: "spec.m[].a", spoke: "spec.m{}.a" }',
});
refuse('another key than the list has', {
  ...both(
    '{ l: { type: list, key: name, items: { type: object, fields: { name: string, a: string } } }, b: string }',
  ),
  rules: '- rename: { hub: "spec.l[nam=x].a", spoke: spec.b }',
});
refuse('an element of a list that both have under two names, for another field', {
  ...versions(
    '{ e: integer, l: { type: list, key: name, items: { type: object, fields: { name: string, n: integer } } } }',
    '{ m: { type: list, key: name, items: { type: object, fields: { name: string, n: integer } } } }',
  ),
  rules: '- rename: { hub: spec.l, spoke: spec.m }\n- rename: { hub: spec.e, spoke: "spec.m[name=a].n" }',
});
refuse('rules for another hub that are no rules', {
  ...versions('{ a: string }', '{ b: string }'),
  rules:
    '- rename: { hub: spec.a, spoke: spec.b, hubs: { v2: [{ rename: { hub: spec.a } }, { renam: {} }], v3: spec.a } }\n' +
    '- rename: { hub: spec.a, spoke: spec.b, hubs: { v2: [{ rename: { hub: spec.a } }, { renam: {} }] } }',
});
refuse('an element by a key that a rule converts to another one', {
  ...versions(
    '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [oneof=a b] }, n: integer } } } }',
    '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [oneof=x y] }, n: integer } } } }',
  ),
  rules:
    '- map: { hub: "spec.l[].name", spoke: "spec.l[].name", values: { a: x, b: y } }\n- scale: { hub: "spec.l[name=a].n", spoke: "spec.l[name=y].n", factor: 10 }',
});
refuse('an element of a list without a key', {
  ...both('{ l: { type: list, items: { type: object, fields: { name: string, a: string } } }, b: string }'),
  rules: '- rename: { hub: "spec.l[name=x].a", spoke: spec.b }',
});
refuse('spec and status', {
  hub: 'spec: { a: string }\nstatus: { b: string }',
  spoke: 'spec: { c: string }\nstatus: { b: string }',
  rules: '- rename: { hub: status.b, spoke: spec.c }',
});
refuse('a type and the spec', {
  types: 'T: { x: string }',
  ...both('{ a: string, t: T }'),
  rules: '- rename: { hub: T.x, spoke: spec.a }',
});
refuse('several fields from several places', {
  hub: 'spec: { a: string }\nstatus: { b: string }',
  spoke: 'spec: { c: string }',
  rules: '- join: { hub: [spec.a, status.b], spoke: spec.c, separator: x }',
});
refuse('a type that never meets the other', {
  types: 'A: { x: string }\nB: { y: string }',
  ...both('{ a: A, b: B }'),
  rules: '- rename: { hub: A.x, spoke: B.y }',
});

// Rules that do not fit together.
refuse('the two sides exchanged', {
  hub: 'spec: { location: string }',
  spoke: 'spec: { site: string }',
  rules: '- rename: { hub: spec.site, spoke: spec.location }',
});
refuse('a field that is not among many others', {
  hub: 'spec: { f1: string, f2: string, f3: string, f4: string, f5: string, f6: string, f7: string, f8: string, f9: string, f10: string, f11: string, f12: string, f13: string, f14: string }',
  spoke: 'spec: { location: string }',
  rules: '- rename: { hub: spec.place, spoke: spec.location }',
});
refuse('a field that two rules name', {
  ...versions('{ a: string, b: string }', '{ c: string, d: string }'),
  rules: '- rename: { hub: spec.a, spoke: spec.c }\n- rename: { hub: spec.a, spoke: spec.d }',
});
refuse('an element that two rules name', {
  ...versions('{ l: { type: list, items: string } }', '{ l: { type: list, items: integer } }'),
  rules:
    '- cast: { hub: "spec.l[]", spoke: "spec.l[]", otherwise: { spoke: 0 } }\n- cast: { hub: "spec.l[]", spoke: "spec.l[]", otherwise: { spoke: 1 } }',
});
const indexed = versions(
  '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } } }',
  '{ a: { type: map, values: { type: object, fields: { v: integer } } } }',
);
refuse('rules between the list or map of an index and the values of the other', {
  ...indexed,
  rules:
    '- index: { hub: spec.a, spoke: spec.a }\n- map: { hub: spec.a, spoke: "spec.a{}", values: { x: y }, otherwise: { hub: q, spoke: q } }\n- scale: { hub: "spec.a[]", spoke: spec.a, factor: 3 }',
});
refuse('a rule of a shared type for the values of an index', {
  types:
    'A: { a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } } }\nB: { a: { type: map, values: { type: object, fields: { v: integer } } } }',
  ...versions('{ t: A }', '{ t: B }'),
  rules: '- index: { hub: spec.t.a, spoke: spec.t.a }\n- scale: { hub: A.a, spoke: "B.a{}", factor: 3 }',
});
refuse('a list that one rule renames and another takes for a value', {
  ...both('{ a: { type: list, items: integer } }'),
  rules: '- rename: { hub: spec.a, spoke: spec.a }\n- scale: { hub: spec.a, spoke: "spec.a[]", factor: 2 }',
});
refuse('elements that one rule renames and another converts', {
  ...both('{ a: { type: list, items: { type: object, fields: { v: integer } } } }'),
  rules:
    '- rename: { hub: "spec.a[]", spoke: "spec.a[]" }\n- custom: { hub: ["spec.a[]"], spoke: ["spec.a[]"], name: a }',
});
refuse('a field that a wrap and a drop name', {
  ...versions('{ a: { type: list, items: integer } }', '{ a: integer }'),
  rules: '- wrap: { hub: spec.a, spoke: spec.a }\n- drop: { spoke: spec.a }',
});
refuse('the first element of a list that two rules convert', {
  ...versions('{ a: { type: list, items: integer } }', '{ a: integer }'),
  rules:
    '- wrap: { hub: spec.a, spoke: spec.a }\n- rename: { hub: "spec.a[]", spoke: spec.a }\n- scale: { hub: "spec.a[]", spoke: spec.a, factor: 2 }',
});
refuse('a rule below what custom converts', {
  ...versions('{ o: { type: object, fields: { a: string } } }', '{ p: string, b: string }'),
  rules: '- custom: { hub: [spec.o], spoke: [spec.p], name: o }\n- rename: { hub: spec.o.a, spoke: spec.b }',
});
refuse('a rule below what is dropped', {
  ...versions('{ a: string }', '{ o: { type: object, fields: { b: string } } }'),
  rules: '- drop: { spoke: spec.o }\n- rename: { hub: spec.a, spoke: spec.o.b }',
});
refuse('lists that do not belong together', {
  ...versions(
    '{ ports: { type: list, items: { type: object, fields: { a: string } } } }',
    '{ listeners: { type: list, items: { type: object, fields: { b: string } } } }',
  ),
  rules: '- rename: { hub: "spec.ports[].a", spoke: "spec.listeners[].b" }',
});
refuse('a field of every element and one field', {
  ...versions('{ ports: { type: list, items: { type: object, fields: { a: string } } } }', '{ b: string }'),
  rules: '- rename: { hub: "spec.ports[].a", spoke: spec.b }',
});
refuse('fields of other elements', {
  ...both('{ l: { type: list, items: { type: object, fields: { a: string } } }, b: string, c: string }'),
  rules: '- custom: { hub: ["spec.l[].a", spec.b], spoke: [spec.c], name: c }',
});
refuse('two defaults for one field', {
  ...versions('{ a: { type: string, rules: [required] } }', '{}'),
  rules: '- default: { hub: spec.a, value: x }\n- default: { hub: spec.a, value: y }',
});
refuse('a default for what is never made', {
  ...versions('{ o: { type: object, fields: { a: string } } }', '{}'),
  rules: '- default: { hub: spec.o.a, value: x }',
});
refuse('a default for elements that are never made', {
  ...versions('{ l: { type: list, items: { type: object, fields: { a: string } } } }', '{}'),
  rules: '- default: { hub: "spec.l[].a", value: x }',
});
refuse('a default of another type', {
  ...versions('{ a: { type: integer, rules: [required] } }', '{}'),
  rules: '- default: { hub: spec.a, value: x }',
});
refuse('a required field that is dropped', {
  ...versions('{}', '{ a: { type: string, rules: [required] } }'),
  rules: '- drop: { spoke: spec.a }',
});

// Rules that do not fit their fields.
refuse('rename of other shapes', {
  ...versions('{ a: string }', '{ b: integer }'),
  rules: '- rename: { hub: spec.a, spoke: spec.b }',
});
refuse('map of a list', {
  ...versions('{ a: { type: list, items: string } }', '{ b: string }'),
  rules: '- map: { hub: spec.a, spoke: spec.b, values: { x: y }, otherwise: { hub: x, spoke: y } }',
});
refuse('map to a value that is none', {
  ...versions(
    '{ a: { type: string, rules: ["oneof=x y"] } }',
    '{ b: { type: string, rules: ["oneof=p q"] } }',
  ),
  rules: '- map: { hub: spec.a, spoke: spec.b, values: { x: p, y: q, z: p } }',
});
refuse('map that leaves out a value', {
  ...versions(
    '{ a: { type: string, rules: ["oneof=x y z"] } }',
    '{ b: { type: string, rules: ["oneof=p q"] } }',
  ),
  rules: '- map: { hub: spec.a, spoke: spec.b, values: { x: p } }',
});
refuse('map of free text', {
  ...versions('{ a: string }', '{ b: boolean }'),
  rules: '- map: { hub: spec.a, spoke: spec.b, values: { x: true, y: false } }',
});
refuse('scale of a string', {
  ...versions('{ a: integer }', '{ b: string }'),
  rules: '- scale: { hub: spec.a, spoke: spec.b, factor: 10 }',
});
refuse('cast of two numbers', {
  ...versions('{ a: integer }', '{ b: number }'),
  rules: '- cast: { hub: spec.a, spoke: spec.b }',
});
refuse('cast from text without otherwise', {
  ...versions('{ a: string }', '{ b: integer }'),
  rules: '- cast: { hub: spec.a, spoke: spec.b }',
});
refuse('cast to text with otherwise', {
  ...versions('{ a: integer }', '{ b: string }'),
  rules: '- cast: { hub: spec.a, spoke: spec.b, otherwise: { spoke: x } }',
});
refuse('cast with an otherwise of another type', {
  ...versions('{ a: string }', '{ b: boolean }'),
  rules: '- cast: { hub: spec.a, spoke: spec.b, otherwise: { spoke: 0 } }',
});
refuse('a duration of a boolean', {
  ...versions('{ a: string }', '{ b: boolean }'),
  rules: '- cast: { hub: spec.a, spoke: spec.b, format: duration, otherwise: { spoke: false } }',
});
refuse('wrap without a list', {
  ...versions('{ a: string }', '{ b: string }'),
  rules: '- wrap: { hub: spec.a, spoke: spec.b }',
});
refuse('wrap of another element', {
  ...versions('{ a: { type: list, items: string } }', '{ b: integer }'),
  rules: '- wrap: { hub: spec.a, spoke: spec.b }',
});
refuse('join of numbers', {
  ...versions('{ a: integer, b: string }', '{ c: string }'),
  rules: '- join: { hub: [spec.a, spec.b], spoke: spec.c, separator: "-" }',
});
refuse('join of several to several', {
  ...versions('{ a: string, b: string }', '{ c: string, d: string }'),
  rules: '- join: { hub: [spec.a, spec.b], spoke: [spec.c, spec.d], separator: "-" }',
});
refuse('join of one string', {
  ...versions('{ a: string }', '{ c: string }'),
  rules: '- join: { hub: spec.a, spoke: spec.c, separator: "-" }',
});
refuse('wrap of a list with a field of its element elsewhere', {
  ...versions(
    '{ b: { type: list, items: { type: object, fields: { v: integer, w: string } } }, n: integer }',
    '{ b: { type: object, fields: { v: integer, w: string } } }',
  ),
  rules: '- wrap: { hub: spec.b, spoke: spec.b }\n- scale: { hub: spec.n, spoke: spec.b.v, factor: 10 }',
});
refuse('wrap of an object with a field elsewhere', {
  ...versions(
    '{ a: { type: object, fields: { v: integer, w: string } } }',
    '{ a: { type: list, items: { type: object, fields: { v: integer, w: string } } }, n: integer }',
  ),
  rules: '- wrap: { hub: spec.a, spoke: spec.a }\n- rename: { hub: spec.a.v, spoke: spec.n }',
});
refuse('wrap of a list with a single element of it elsewhere', {
  ...versions(
    '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } } } }',
    '{ a: { type: object, fields: { k: { type: string, rules: [required] }, v: integer } }, n: integer }',
  ),
  rules: '- wrap: { hub: spec.a, spoke: spec.a }\n- rename: { hub: "spec.a[k=x].v", spoke: spec.n }',
});
refuse('drop of a field of one element', {
  ...versions(
    '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, w: string } } } }',
    '{ a: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, w: string } } } }',
  ),
  rules: '- drop: { spoke: "spec.a[k=x].w" }',
});
refuse('drop of an entry next to a rule below it', {
  ...versions(
    '{ s: string }',
    '{ b: { type: map, values: { type: object, fields: { v: string, w: string } } } }',
  ),
  rules: '- drop: { spoke: "spec.b{x}" }\n- rename: { hub: spec.s, spoke: "spec.b{x}.w" }',
});
refuse('drop of an element next to a rule below it', {
  ...versions(
    '{ s: string }',
    '{ b: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, w: string } } } }',
  ),
  rules: '- drop: { spoke: "spec.b[k=x]" }\n- rename: { hub: spec.s, spoke: "spec.b[k=x].w" }',
});
refuse('drop of a field of entries that only the version has', {
  ...versions(
    '{ s: string }',
    '{ b: { type: map, values: { type: object, fields: { v: string, w: string } } } }',
  ),
  rules: '- drop: { spoke: "spec.b{}.v" }',
});
refuse('index without a map', {
  ...versions(
    '{ a: string }',
    '{ b: { type: list, key: name, items: { type: object, fields: { name: string } } } }',
  ),
  rules: '- index: { hub: spec.a, spoke: spec.b }',
});
refuse('index of a list of which an element stands for another field', {
  ...versions(
    '{ a: { type: map, values: string }, c: string }',
    '{ a: { type: list, key: name, items: { type: object, fields: { name: string, value: string } } } }',
  ),
  rules: '- index: { hub: spec.a, spoke: spec.a }\n- rename: { hub: spec.c, spoke: "spec.a[name=x].value" }',
});
refuse('index of a list without a key', {
  ...versions(
    '{ a: { type: map, values: string } }',
    '{ b: { type: list, items: { type: object, fields: { name: string, value: string } } } }',
  ),
  rules: '- index: { hub: spec.a, spoke: spec.b }',
});
refuse('index of a list with several values', {
  ...versions(
    '{ a: { type: map, values: string } }',
    '{ b: { type: list, key: name, items: { type: object, fields: { name: string, value: string, note: string } } } }',
  ),
  rules: '- index: { hub: spec.a, spoke: spec.b }',
});
refuse('custom with two fields of one name', {
  ...versions(
    '{ a: { type: object, fields: { x: string } }, b: { type: object, fields: { x: string } } }',
    '{ c: string }',
  ),
  rules: '- custom: { hub: [spec.a.x, spec.b.x], spoke: [spec.c], name: c }',
});
refuse('the values of a map, and a field in lists in them, on one side of a rule', {
  ...versions(
    '{ m: { type: map, values: { type: object, fields: { l: { type: list, items: { type: object, fields: { h: string } } } } } } }',
    '{ m: { type: map, values: { type: object, fields: { l: { type: list, items: { type: object, fields: { h: string } } } } } } }',
  ),
  rules: '- custom: { hub: ["spec.m{}", "spec.m{}.l[].h"], spoke: ["spec.m{}"], name: m }',
});
refuse('elements as a field, and a list in them', {
  ...versions(
    '{ m: { type: list, items: { type: object, fields: { x: string, l: { type: list, items: string } } } } }',
    '{ m: { type: list, items: { type: object, fields: { z: string } } } }',
  ),
  rules: '- custom: { hub: ["spec.m[].x", "spec.m[].l[]"], spoke: ["spec.m[]"], name: m }',
});
refuse('one element of a list that both have, for another field', {
  ...versions(
    '{ cpu: integer, l: { type: list, key: name, items: { type: object, fields: { name: string, v: integer } } } }',
    '{ l: { type: list, key: name, items: { type: object, fields: { name: string, v: integer } } } }',
  ),
  rules: '- rename: { hub: spec.cpu, spoke: "spec.l[name=cpu].v" }',
});

// Values that break the rules of their own field.
refuse('a default of the hub above its maximum', {
  ...versions('{ n: { type: integer, rules: [required, max=5] } }', '{}'),
  rules: '- default: { hub: spec.n, value: 6 }',
});
refuse('a default of the spoke against its pattern', {
  ...versions('{}', '{ s: { type: string, rules: [required, "pattern=^[a-z]+$"] } }'),
  rules: '- default: { spoke: spec.s, value: A1 }',
});
for (const [what, key, value] of [
  ['of another type', 'integer', 'abc'],
  ['that is written otherwise', 'integer', '080'],
  ['that breaks a rule', 'string, rules: [oneof=a b]', 'c'],
])
  refuse(`an element by a key ${what}`, {
    ...versions(
      `{ l: { type: list, key: k, items: { type: object, fields: { k: { type: ${key} }, v: string } } } }`,
      '{ s: string }',
    ),
    rules: `- rename: { hub: "spec.l[k=${value}].v", spoke: spec.s }`,
  });
refuse('a default that repeats the key of its list', {
  ...versions(
    '{ l: { type: list, key: k, rules: [required], items: { type: object, fields: { k: { type: string, default: x } } } } }',
    '{}',
  ),
  rules: '- default: { hub: spec.l, value: [{}, { k: x }] }',
});
refuse('a default with a field inside that breaks a rule', {
  ...versions(
    '{ o: { type: object, rules: [required], fields: { l: { type: list, items: { type: string, rules: [max=2] } } } } }',
    '{}',
  ),
  rules: '- default: { hub: spec.o, value: { l: [ab, abc] } }',
});
refuse('a timestamp that is none', {
  ...versions('{ t: { type: timestamp, rules: [required] } }', '{}'),
  rules: '- default: { hub: spec.t, value: tomorrow }',
});
refuse('otherwise below the minimum', {
  ...versions('{ t: string }', '{ n: { type: integer, rules: [min=1] } }'),
  rules: '- cast: { hub: spec.t, spoke: spec.n, otherwise: { spoke: 0 } }',
});
refuse('values and otherwise of a map that break rules', {
  ...versions('{ a: { type: string, rules: [max=3] } }', '{ b: { type: integer, rules: [min=1] } }'),
  rules:
    '- map: { hub: spec.a, spoke: spec.b, values: { long: 1, ab: 0 }, otherwise: { hub: longer, spoke: 0 } }',
});
refuse('a boolean where a string is meant', {
  ...versions(
    '{ a: { type: string, rules: ["oneof=on off"] } }',
    '{ b: { type: string, rules: ["oneof=true false"] } }',
  ),
  rules: '- map: { hub: spec.a, spoke: spec.b, values: { on: true, off: false } }',
});

refuse('a string where a boolean is meant', {
  ...versions('{ a: { type: string, rules: ["oneof=on off"] } }', '{ b: boolean }'),
  rules: "- map: { hub: spec.a, spoke: spec.b, values: { on: 'true', off: 'false' } }",
});
refuse('a string where an integer is meant', {
  ...versions(
    '{ a: { type: string, rules: ["oneof=on off"] } }',
    '{ b: { type: integer, rules: ["oneof=1 2"] } }',
  ),
  rules: "- map: { hub: spec.a, spoke: spec.b, values: { on: '1', off: '3' } }",
});

// Rules custom that share a name.
refuse('two rules custom of one name with other fields', {
  ...versions('{ a: string, b: string }', '{ c: string, d: string }'),
  rules:
    '- custom: { hub: [spec.a], spoke: [spec.c], name: same }\n- custom: { hub: [spec.b], spoke: [spec.d], name: same }',
});
refuse('a rule custom whose fields have other types elsewhere', {
  ...versions(
    '{ x: { type: object, fields: { a: string, p: string } }, y: { type: object, fields: { a: integer, p: string } } }',
    '{ x: { type: object, fields: { a: string, q: string } }, y: { type: object, fields: { a: integer, q: string } } }',
  ),
  rules:
    '- custom: { hub: [spec.x.a], spoke: [spec.x.a], name: same }\n- custom: { hub: [spec.y.a], spoke: [spec.y.a], name: same }',
});

// Elements that a rule makes.
refuse('a required field of an element that a rule makes', {
  ...both(
    '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string, f: { type: string, rules: [required] } } } } }',
  ),
  spoke:
    'spec: { cpu: string, l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string, f: { type: string, rules: [required] } } } } }',
  rules: '- rename: { hub: "spec.l[name=cpu].v", spoke: spec.cpu }',
});

refuse('the key of an element that a rule names', {
  ...versions(
    '{ l: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, v: string } } } }',
    '{ y: string }',
  ),
  rules: '- rename: { hub: "spec.l[name=a].name", spoke: spec.y }',
});

refuse('defaults of this version that the storage version cannot have', {
  ...versions(
    '{ n: integer, p: { type: string, rules: ["pattern=^[1-9]"] }, l: { type: list, items: string, rules: [min=2] }, t: { type: list, items: { type: string, rules: [max=3] } }, w: { type: list, items: integer } }',
    '{ n: { type: string, default: many }, p: { type: integer, default: 0 }, l: { type: string, default: x }, t: { type: string, default: "a,long" }, w: { type: string, default: "07" } }',
  ),
  rules:
    '- cast: { hub: spec.n, spoke: spec.n }\n- cast: { hub: spec.p, spoke: spec.p, otherwise: { spoke: 1 } }\n' +
    '- wrap: { hub: spec.l, spoke: spec.l }\n- join: { hub: spec.t, spoke: spec.t, separator: "," }\n' +
    '- wrap: { hub: spec.w, spoke: spec.w }\n- cast: { hub: "spec.w[]", spoke: spec.w }',
});

// Hints that name what is possible.
refuse('an object and a map', {
  ...versions(
    '{ m: { type: object, fields: { n: integer, a: string } } }',
    '{ m: { type: map, values: string } }',
  ),
});
refuse('elements and objects with a field', {
  ...versions(
    '{ env_file: { type: list, items: string } }',
    '{ env_file: { type: list, items: { type: object, fields: { format: string, path: { type: string, rules: [required] } } } } }',
  ),
});
refuse('an element of a list of strings', {
  ...versions(
    '{ tags: { type: list, items: string } }',
    '{ tags: { type: list, items: string }, t: string }',
  ),
  rules: '- rename: { hub: "spec.tags[name=x]", spoke: spec.t }',
});
