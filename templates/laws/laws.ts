import * as fc from 'fast-check';
import { ConversionFailure } from '../runtime/conversion/lenses/converter';
import { fillDefaults } from '../runtime/model/fields/normal-form';
import { same } from '../runtime/model/fields/values';
import { below, pointerKeys } from '../runtime/model/fragment';
import type { KindDefinition } from '../runtime/model/kinds/kind';
import { isObject, type Json, type JsonObject, type Schema } from '../runtime/model/schema';
import type { SpokeConverter } from '../runtime/model/versions/spoke-converter';
import type { Body } from '../runtime/model/versions/versioning-of';
import { readSettings } from '../runtime/settings/settings';
import { admit } from '../runtime/validation/admission';
import { arbitrary } from './arbitrary';

/** The field rules of a kind in one version. */
export interface Side {
  spec: Schema;
  status: Schema;
  types: { [name: string]: Schema };
  /** Returns whether the version accepts a spec or status; without it, creating is not tested. */
  accepts?: (part: keyof Body, fields: JsonObject) => boolean;
}

/** Pointers of the spoke's document, `*` for any step, that the laws make allowance for. */
export interface Allowance {
  /** Fields of rules `drop`: accepted and ignored. */
  dropped: string[];
  /** Fields that a rule `default` fills in, and keys of the elements that they make. */
  defaulted: string[];
  /** Fields that one rule converts together. */
  together: string[][];
}

/** A spoke under test. */
export interface Subject extends Allowance {
  fields: Side;
  converter: SpokeConverter;
}

/** The stored form of a resource: the hub's object, and the preserved fields of each spoke. */
interface State {
  hub: Body;
  kept: (Json | undefined)[];
}

/**
 * Checks the laws of conversion, for every spoke, after any writes through any versions: GetPut, PutGet, CreateGet,
 * Total and Others undisturbed; and that something can be created through it. Throws with a counterexample.
 */
export function checkLaws(hub: Side, spokes: Subject[], runs = Number(process.env['LAW_RUNS'] ?? 200)): void {
  for (const spoke of spokes) checkCreates(hub, spoke);
  const versions = [hub, ...spokes.map(({ fields }) => fields)];
  const write = fc
    .nat(versions.length - 1)
    .chain((version) =>
      fc.tuple(
        fc.constant(version),
        bodyOf(versions[version]),
        fc.array(fc.nat(9), { minLength: 1, maxLength: 30 }),
      ),
    );
  fc.assert(
    fc.property(bodyOf(hub), fc.array(write, { maxLength: 5 }), (first, writes) => {
      let state: State = { hub: filled(hub, first), kept: spokes.map(() => undefined) };
      checkReads(hub, spokes, state);
      for (const [version, fresh, dice] of writes) {
        const next =
          version === 0
            ? writeHub(hub, spokes, state, fresh, dice)
            : writeSpoke({ fields: hub, spokes }, version - 1, state, fresh, dice);
        if (next === undefined) continue;
        state = next;
        checkReads(hub, spokes, state);
      }
    }),
    { numRuns: runs },
  );
}

function bodyOf({ spec, status, types }: Side): fc.Arbitrary<Body> {
  return fc.record(
    { spec: arbitrary(spec, types), status: arbitrary(status, types) },
    { noNullPrototype: true },
  ) as fc.Arbitrary<Body>;
}

/** Number of resources to try before a version counts as one through which nothing can be written. */
const TRIED = 100;

/**
 * Checks that something can be created through a spoke: a refusal of every resource is no pass. It tries resources of
 * the hub as the spoke shows them, since they follow the rules of both; without one that both accept, nothing is
 * checked.
 */
function checkCreates(hub: Side, { fields, converter }: Subject): void {
  const { accepts } = fields;
  if (hub.accepts === undefined || accepts === undefined) return;
  const stored = fc.sample(bodyOf(hub), TRIED).map((body) => filled(hub, body));
  for (const part of ['spec', 'status'] as const) {
    const shown = stored
      .filter((body) => hub.accepts!(part, body[part]))
      .map((body) => filled(fields, converter.fromHub(body, undefined)))
      .filter((body) => accepts(part, body[part]));
    const isWritten = (sent: Body): boolean => {
      const put = attempt(() => converter.toHub(structuredClone(sent), undefined));
      return put !== undefined && hub.accepts!(part, filled(hub, put.hub)[part]);
    };
    if (shown.length > 0 && !shown.some(isWritten))
      throw new Error(`Creates: every ${part} is refused, such as ${JSON.stringify(shown[0][part])}`);
  }
}

/** Checks Total and GetPut. */
function checkReads(_hub: Side, spokes: Subject[], { hub, kept }: State): void {
  spokes.forEach(({ converter, fields }, i) => {
    const read = converter.fromHub(hub, kept[i]);
    expectEqual('Total: what is read is JSON', JSON.parse(JSON.stringify(read)), read);
    for (const part of ['spec', 'status'] as const)
      expectTyped(fields[part], fields.types, read[part], `/${part}`);
    expectEqual('defaults are shown', filled(fields, read), read);
    const back = converter.toHub(structuredClone(read), { hub, kept: kept[i] });
    expectEqual('GetPut, text', JSON.stringify(back.hub), JSON.stringify(hub));
    expectEqual('GetPut, kept', back.kept, kept[i]);
  });
}

/** Throws unless the present values have the declared types; rules are not checked. */
function expectTyped(schema: Schema, types: Side['types'], value: Json, at: string): void {
  const { type, properties, items, additionalProperties, $ref } = schema;
  if ($ref !== undefined) return expectTyped(types[$ref.slice('#/$defs/'.length)], types, value, at);
  const is = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (type !== undefined && is !== (type === 'integer' ? 'number' : type)) {
    throw new Error(`Total: at ${at} is ${JSON.stringify(value)}, which is no ${type}`);
  }
  if (Array.isArray(value) && items) value.forEach((one, i) => expectTyped(items, types, one, `${at}/${i}`));
  if (!isObject(value)) return;
  for (const [key, one] of Object.entries(value)) {
    const own = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (own) expectTyped(own, types, one, below(at, key));
  }
}

function writeHub(fields: Side, spokes: Subject[], state: State, fresh: Body, dice: number[]): State {
  const after = filled(fields, mixBody(state.hub, fresh, dice, new Set(listKeys(fields))));
  const kept = state.kept.map((aside, i) => spokes[i].converter.carry(state.hub, after, aside));
  return { hub: after, kept };
}

/** The fields of the hub, and the spokes. */
interface Sides {
  fields: Side;
  spokes: Subject[];
}

function writeSpoke(
  { fields, spokes }: Sides,
  index: number,
  state: State,
  fresh: Body,
  dice: number[],
): State | undefined {
  const subject = spokes[index];
  const { converter } = subject;
  const stored = { hub: state.hub, kept: state.kept[index] };
  const read = converter.fromHub(stored.hub, stored.kept);
  const keys = new Set([...listKeys(fields), ...spokes.flatMap((one) => listKeys(one.fields))]);
  const sent = filled(subject.fields, mixBody(read, fresh, dice, keys));
  const created = attempt(() => converter.toHub(sent, undefined));
  if (created !== undefined) checkPut('CreateGet', fields, subject, sent, created);
  const put = attempt(() => converter.toHub(sent, stored));
  if (put === undefined) return undefined;
  checkPut('PutGet', fields, subject, sent, put);
  const changed = diff(read, sent, keys);
  for (const pointer of diff(state.hub, put.hub, keys)) {
    const targets = [
      ...inside(state.hub, pointer).map((one) =>
        converter.toSpokePointer(one, { hub: state.hub, spoke: read }),
      ),
      ...inside(put.hub, pointer).map((one) => converter.toSpokePointer(one, { hub: put.hub, spoke: sent })),
    ];
    expectRelated(
      'Others undisturbed: the hub changed where the spoke did',
      pointer,
      targets,
      changed,
      subject,
    );
  }
  const hub = filled(fields, put.hub);
  const kept = state.kept.map((aside, i) =>
    i === index ? put.kept : spokes[i].converter.carry(state.hub, hub, aside),
  );
  expectOthersUndisturbed(
    spokes.toSpliced(index, 1),
    { ...state, kept: state.kept.toSpliced(index, 1) },
    { hub, kept: kept.toSpliced(index, 1) },
    keys,
  );
  return { hub, kept };
}

/** Spokes that did not write change only where the hub did. */
function expectOthersUndisturbed(others: Subject[], was: State, is: State, keys: Set<string>): void {
  const changed = diff(was.hub, is.hub, keys);
  others.forEach((other, i) => {
    const before = other.converter.fromHub(was.hub, was.kept[i]);
    const after = other.converter.fromHub(is.hub, is.kept[i]);
    const shared = changed.flatMap((pointer) => [
      ...inside(was.hub, pointer).map((one) =>
        other.converter.toSpokePointer(one, { hub: was.hub, spoke: before }),
      ),
      ...inside(is.hub, pointer).map((one) =>
        other.converter.toSpokePointer(one, { hub: is.hub, spoke: after }),
      ),
    ]);
    const law = 'Others undisturbed: another spoke changed where the hub did';
    for (const pointer of diff(before, after, keys)) expectRelated(law, pointer, [pointer], shared, other);
  });
}

function checkPut(
  law: string,
  fields: Side,
  subject: Subject,
  sent: Body,
  put: { hub: Body; kept: Json | undefined },
): void {
  const { converter } = subject;
  const expected = without(sent, subject.dropped);
  const unless = { body: expected, keys: listKeys(subject.fields) };
  expectEqual(law, without(converter.fromHub(put.hub, put.kept), subject.defaulted, unless), expected);
  const complete = filled(fields, put.hub);
  const shown = converter.fromHub(complete, put.kept);
  const covering = without(shown, subject.defaulted, unless);
  expectCovers(`${law}, defaults of the hub filled in`, expected, covering, '');
}

function attempt<T>(convert: () => T): T | undefined {
  try {
    return convert();
  } catch (error) {
    if (error instanceof ConversionFailure) return undefined;
    throw error;
  }
}

function filled({ spec, status, types }: Side, body: Body): Body {
  const copy = structuredClone(body);
  fillDefaults({ schema: spec, types }, copy.spec);
  fillDefaults({ schema: status, types }, copy.status);
  return copy;
}

/** Random choices, and the fields that no two elements of a list share. */
type Dice = (() => number) & { keys: Set<string> };

/** Mixes the body of a client that has read one document and has another in mind. */
function mixBody(read: Body, fresh: Body, dice: number[], keys: Set<string>): Body {
  let at = 0;
  const roll: Dice = Object.assign(() => dice[at++ % dice.length], { keys });
  return { spec: mixObject(read.spec, fresh.spec, roll), status: mixObject(read.status, fresh.status, roll) };
}

function mix(read: Json, fresh: Json, roll: Dice): Json {
  const chance = roll();
  if (chance === 0) return fresh;
  if (isObject(read) && isObject(fresh)) return mixObject(read, fresh, roll);
  if (Array.isArray(read) && Array.isArray(fresh)) return mixList(read, fresh, roll);
  return chance < 4 ? fresh : read;
}

function mixObject(read: JsonObject, fresh: JsonObject, roll: Dice): JsonObject {
  const mixed: JsonObject = {};
  for (const key of new Set([...Object.keys(read), ...Object.keys(fresh)])) {
    const [had, has] = [Object.hasOwn(read, key), Object.hasOwn(fresh, key)];
    const chance = roll();
    if (had && has) mixed[key] = mix(read[key], fresh[key], roll);
    else if (had ? chance > 1 : chance > 5) mixed[key] = had ? read[key] : fresh[key];
  }
  return mixed;
}

function mixList(read: Json[], fresh: Json[], roll: Dice): Json[] {
  const mixed = read.filter(() => roll() > 1);
  if (roll() < 3) mixed.reverse();
  const more = fresh.filter(() => roll() < 3);
  const changed = mixed.map((one) => (roll() < 3 && fresh.length > 0 ? mix(one, fresh[0], roll) : one));
  return distinct(roll() < 5 ? [...changed, ...more] : [...more, ...changed], roll.keys);
}

/** Returns the list without objects that repeat a key. */
function distinct(list: Json[], keys: Set<string>): Json[] {
  const seen = new Set<string>();
  return list.filter((one) => {
    if (!isObject(one)) return true;
    const own = [...keys]
      .filter((key) => Object.hasOwn(one, key))
      .map((key) => `${key} ${JSON.stringify(one[key])}`);
    if (own.some((key) => seen.has(key))) return false;
    own.forEach((key) => seen.add(key));
    return true;
  });
}

/** Returns the fields that identify elements of any list of a version. */
function listKeys(side: Side): string[] {
  const found: string[] = [];
  JSON.stringify(side, (name, value: unknown) => {
    if (name === 'x-list-key') found.push(value as string);
    return value;
  });
  return found;
}

/** Returns the pointers of a value and of everything in it; a list counts as one. */
function inside(body: Body, pointer: string): string[] {
  let value = body as unknown as Json | undefined;
  for (const key of pointerKeys(pointer))
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? memberOf(value, key) : undefined;
  const all = (one: Json | undefined, at: string): string[] => {
    if (Array.isArray(one)) return [at, ...one.flatMap((element, i) => all(element, `${at}/${i}`))];
    if (!isObject(one)) return [at];
    return [at, ...Object.keys(one).flatMap((key) => all(one[key], below(at, key)))];
  };
  return all(value, pointer);
}

/**
 * Returns the differences of two documents. A list of another length, or whose elements have other keys, differs as a
 * whole, and so does an object below a part that has become empty, or no longer is.
 */
export function diff(one: unknown, other: unknown, keys = new Set<string>(), at = ''): string[] {
  if (same(one as Json, other as Json)) return [];
  if (isObject(one) && isObject(other)) {
    if (isEmpty(one) !== isEmpty(other) && at.lastIndexOf('/') > 0) return [at];
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) =>
      diff(memberOf(one, name), memberOf(other, name), keys, below(at, name)),
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const moved = one.some(
      (element, i) =>
        isObject(element) &&
        isObject(other[i]) &&
        [...keys].some((key) => memberOf(element, key) !== memberOf(other[i] as JsonObject, key)),
    );
    const shuffled = other.some(
      (element, i) =>
        !same(element as Json, one[i] as Json) && one.some((twin) => same(twin as Json, element as Json)),
    );
    if (!moved && !shuffled) return one.flatMap((element, i) => diff(element, other[i], keys, `${at}/${i}`));
  }
  return [at];
}

function memberOf(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Another document, and the fields that identify elements of its lists. */
interface Unless {
  body: Body;
  keys: string[];
}

/** Returns the document without some fields; with `unless`, without those of them that the other document lacks. */
function without(body: Body, pointers: string[], { body: unless, keys }: Partial<Unless> = {}): Body {
  let copy = structuredClone(body) as unknown as Json;
  for (const pointer of pointers)
    copy = removed(copy, pointerKeys(pointer), unless as Json | undefined, keys);
  return copy as unknown as Body;
}

/** What the other document lacks, it lacks everything of. */
const NOTHING: Json = {};

function removed(
  value: Json,
  [step, ...rest]: string[],
  unless: Json | undefined,
  keys: string[] = [],
): Json {
  const inside = (one: Json, other: Json | undefined): Json =>
    removed(one, rest, unless === undefined ? undefined : (other ?? NOTHING), keys);
  const isEmptied = (one: Json, other: Json | undefined): boolean =>
    unless !== undefined && other === undefined && isEmpty(one);
  if (Array.isArray(value)) {
    const others = value.map((one, i) => counterpart(one, i, Array.isArray(unless) ? unless : [], keys));
    return value
      .map((one, i) => (step === '*' || step === String(i) ? inside(one, others[i]) : one))
      .filter((one, i) => !isEmptied(one, others[i]));
  }
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) {
    if (step !== '*' && step !== key) continue;
    const other = isObject(unless) ? memberOf(unless, key) : undefined;
    if (rest.length > 0) {
      value[key] = inside(value[key], other);
      if (isEmptied(value[key], other)) delete value[key];
    } else if (unless === undefined || other === undefined) delete value[key];
  }
  return value;
}

/** Returns the element with the same key in another list; without a key, that at the same position. */
function counterpart(one: Json, index: number, others: Json[], keys: string[]): Json | undefined {
  const key = isObject(one) ? keys.find((name) => Object.hasOwn(one, name)) : undefined;
  if (key === undefined) return others[index];
  const isSame = (other: Json | undefined): boolean =>
    isObject(other) && same(memberOf(other, key), (one as JsonObject)[key]);
  return isSame(others[index]) ? others[index] : others.find(isSame);
}

function isEmpty(value: Json): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0;
}

function expectEqual(law: string, got: unknown, want: unknown): void {
  if (same(got as Json, want as Json)) return;
  throw new Error(
    `${law}: at ${diff(want, got).join(', ')}\nwant ${JSON.stringify(want)}\ngot  ${JSON.stringify(got)}`,
  );
}

function expectCovers(law: string, want: unknown, got: unknown, at: string): void {
  if (isObject(want) && isObject(got)) {
    for (const key of Object.keys(want)) expectCovers(law, want[key], memberOf(got, key), `${at}/${key}`);
  } else if (Array.isArray(want) && Array.isArray(got) && want.length === got.length) {
    want.forEach((one, i) => expectCovers(law, one, got[i], `${at}/${i}`));
  } else {
    expectEqual(`${law} at ${at}`, got, want);
  }
}

function expectRelated(
  law: string,
  pointer: string,
  mapped: string[],
  changed: string[],
  { together }: Allowance,
): void {
  const touches = (one: string, other: string) =>
    one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
  const groups = (one: string) => together.filter((group) => group.some((pattern) => covers(pattern, one)));
  const related = mapped.some((one) => {
    if (one === '/spec' || one === '/status') return false;
    const own = groups(one);
    return changed.some((other) => touches(one, other) || groups(other).some((group) => own.includes(group)));
  });
  if (!related)
    throw new Error(
      `${law}: ${pointer} (${mapped.join(', ')}) is none of ${changed.join(', ') || 'nothing'}`,
    );
}

function covers(pattern: string, pointer: string): boolean {
  const [steps, path] = [pattern.split('/'), pointer.split('/')];
  return steps.every((step, i) => i >= path.length || step === '*' || step === path[i]);
}

const STRICT = { settings: readSettings({}), definition: { validation: 'strict' } } as const;

/** Returns the fields of a kind in one version that are converted: with history, `status.version` is the server's. */
export function convertedFields(kind: KindDefinition, version: string): Side {
  const { spec, status, types } = kind.versions[version];
  const accepts = (part: keyof Body, fields: JsonObject): boolean =>
    admit(STRICT, kind, { version, part, fields: structuredClone(fields) }, undefined).length === 0;
  if (kind.history === undefined) return { spec, status, types, accepts };
  const { version: _, ...properties } = status.properties ?? {};
  return { spec, status: { ...status, properties }, types, accepts };
}
