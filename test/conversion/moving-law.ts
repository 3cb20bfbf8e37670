import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../templates/runtime/model/schema';
import {
  changed,
  migrated,
  read,
  type Rows,
  type Served,
  specsOf,
  texts,
  withPreserved,
  write,
} from './moving';

/**
 * Checks the law of moving the hub with `runs` resources and random writes. The preserved fields may be by other rules, or
 * outdated. Every version reads after the move what it read before, and again after moving back, snapshots included. A
 * version may write what it reads, which changes nothing. A write after the move changes no more than it would have
 * changed before.
 */
export function checkMove(before: Served, after: Served, back: Served | undefined, runs: number): void {
  const keys = [...before.text.matchAll(/"key": ?"(\w+)"/g)].map(([, key]) => key);
  const version = fc.constantFrom(...before.versions);
  const step = version.chain((name) =>
    fc.record({ name: fc.constant(name), spec: specsOf(before, name), dice: fc.nat(99) }),
  );
  fc.assert(
    fc.property(
      step,
      fc.array(step, { maxLength: 3 }),
      fc.array(step, { maxLength: 3 }),
      fc.constantFrom(...STALE),
      (first, earlier, later, stale) => {
        let rows = write(before, undefined, first.name, first.spec);
        const created = write(after, undefined, first.name, first.spec);
        if (rows !== undefined && created !== undefined && first.name === after.kind.storageVersion)
          checkCreated(before, after, rows, created);
        if (rows === undefined) return;
        for (const one of earlier)
          rows =
            write(before, rows, one.name, changed(read(before, rows, one.name).spec, one.spec, one.dice)) ??
            rows;
        rows = stale(rows);
        const wanted = texts(before, rows);
        expect(texts(after, rows)).toEqual(wanted);
        let moved = migrated(after, rows);
        expect(texts(after, moved)).toEqual(wanted);
        expect(texts(before, moved)).toEqual(wanted);
        expect(texts(before, migrated(before, moved))).toEqual(wanted);
        if (back !== undefined) {
          expect(texts(back, rows)).toEqual(wanted);
          expect(texts(back, moved)).toEqual(wanted);
          expect(texts(back, migrated(back, moved))).toEqual(wanted);
        }
        for (const name of before.versions) {
          const same = write(after, moved, name, read(after, moved, name).spec);
          expect([name, same && specs(after, same)]).toEqual([name, specs(after, moved)]);
        }
        let oracle: Rows | undefined = rows;
        for (const one of later) {
          const spec = changed(read(after, moved, one.name).spec, one.spec, one.dice);
          const next = write(after, moved, one.name, spec);
          const expected: Rows | undefined =
            oracle &&
            write(before, oracle, one.name, changed(read(before, oracle, one.name).spec, one.spec, one.dice));
          if (next === undefined) continue;
          expect(migrated(before, next) && texts(before, next)).toEqual(texts(after, next));
          if (expected !== undefined && oracle !== undefined) {
            // Before, an object or element may have come or gone without its fields; the present hub has it with its defaults.
            const [was, is] = [
              differences(after, moved, next, (one, other) => isSameButEmpty(one, other, keys)),
              differences(before, oracle, expected, isDeepStrictEqual),
            ];
            const sent = Object.keys({ ...spec, ...read(after, moved, one.name).spec });
            const own = sent.filter(
              (field) => !isDeepStrictEqual(spec[field], read(after, moved, one.name).spec[field]),
            );
            for (const name of before.versions) {
              // The fields that the writer sent may change: a version like the present hub shares more with it than before.
              // Fields joined by one rule change together.
              if (/\b(join|custom)"?:/.test(before.text)) continue;
              const more = was[name].filter((field) => !is[name].includes(field) && !own.includes(field));
              expect([name, more]).toEqual([name, []]);
            }
          }
          moved = next;
          // From where the coarser hub says less, the two differ.
          oracle =
            expected && isDeepStrictEqual(specs(after, next), specs(before, expected)) ? expected : undefined;
        }
        expect(texts(before, moved)).toEqual(texts(after, moved));
      },
    ),
    { numRuns: runs },
  );
}

/** Events since the last write: none, a change of the rules, a write by a process that did not know the versions. */
const STALE: ((rows: Rows) => Rows)[] = [
  (rows) => rows,
  (rows) => withPreserved(rows, (entry) => ({ ...entry, rules: 'other rules' })),
  (rows) => withPreserved(rows, (entry) => ({ ...entry, isOutdated: true })),
];

/**
 * Checks that a create through the new hub means the same before and after the move: the old hub reads the same of it, and
 * every other version reads the same, or what stands for the same in the old hub.
 */
function checkCreated(before: Served, after: Served, rows: Rows, created: Rows): void {
  // Rules of the user's own say anew what is read. A default of one version is not one of another.
  if (/\bhubs: |default"?: /.test(before.text)) return;
  const { storageVersion: oldHub } = before.kind;
  for (const name of before.versions) {
    const [old, seen] = [read(before, rows, name).spec, read(after, created, name).spec];
    if (agree(old, seen)) continue;
    // Both are written back, so that a version that rounds rounds both.
    const [was, is] = [old, seen].map((spec) => {
      const again = write(before, undefined, name, spec);
      return again && read(before, again, oldHub).spec;
    });
    if (was === undefined || is === undefined) continue;
    if (!agree(was, is)) expect([name, is]).toEqual([name, was]);
  }
}

/**
 * Returns true if the members that two values both have are the same. The last of the 15 digits that conversion
 * rounds a number to may differ: by a factor without a finite inverse, one direction multiplies where the other divides.
 */
function agree(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1.01e-14 * Math.abs(one);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((element, i) => agree(element, other[i]));
  if (isObject(one) && isObject(other))
    return Object.keys(one).every((name) => !Object.hasOwn(other, name) || agree(one[name], other[name]));
  return isDeepStrictEqual(one, other);
}

/** The specs of every version. */
function specs(served: Served, rows: Rows): { [version: string]: JsonObject } {
  return Object.fromEntries(served.versions.map((name) => [name, read(served, rows, name).spec]));
}

/** The fields of every version that a write changed. */
function differences(
  served: Served,
  one: Rows,
  other: Rows,
  isSame: (was: Json | undefined, is: Json | undefined) => boolean,
): { [version: string]: string[] } {
  const [was, is] = [specs(served, one), specs(served, other)];
  return Object.fromEntries(
    served.versions.map((name) => [
      name,
      [...new Set([...Object.keys(was[name]), ...Object.keys(is[name])])].filter(
        (field) => !isSame(was[name][field], is[name][field]),
      ),
    ]),
  );
}

/**
 * Returns true if two values differ at most in the order of their members, in what is empty, and in elements that have
 * nothing but a key; `keys` are the names of such members.
 */
function isSameButEmpty(one: Json | undefined, other: Json | undefined, keys: string[]): boolean {
  return JSON.stringify(filled(one, keys)) === JSON.stringify(filled(other, keys));
}

/** A value with its members in one order; undefined for one that is empty. */
function filled(value: Json | undefined, keys: string[]): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const elements = value.filter((one) => !isKeyAlone(one, keys));
    return elements.length === 0 ? undefined : elements.map((one) => filled(one, keys) ?? null);
  }
  const members = Object.keys(value)
    .sort()
    .map((name) => [name, filled(value[name], keys)] as const);
  const there = members.filter(([, one]) => one !== undefined);
  return there.length === 0 ? undefined : (Object.fromEntries(there) as JsonObject);
}

function isKeyAlone(element: Json, keys: string[]): boolean {
  const names = isObject(element) ? Object.keys(element) : [];
  return names.length === 1 && keys.includes(names[0]);
}
