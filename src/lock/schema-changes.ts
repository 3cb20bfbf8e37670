import { isDeepStrictEqual } from 'node:util';
import { type Bounds, resolved, type Schema, type Schemas } from '../model/json-schema';

/** One difference between two states of a schema. */
export interface SchemaChange {
  /** Such as `spec.ports[].number`; `{}` stands for the values of a map. */
  path: string;
  /** The key of the kind that has changed, for a change of no field. */
  key?: string;
  what: string;
  /** Why a client that was right before may be wrong now; undefined for a compatible change. */
  breaks: string | undefined;
}

/** A schema and the shared types that its `$ref`s name. */
interface Side {
  schema: Schema;
  types: Schemas;
}

/** Why a change breaks what clients send. */
export const SENDERS = 'requests of existing clients may be refused';
const READERS = 'fields that clients read may be missing or have another form';

/** A bound: its rule in project.yaml, and which way of moving it lets more values pass. */
interface Bound {
  rule: string;
  widerWhen: 'lower' | 'higher';
}

const MIN: Bound = { rule: 'min', widerWhen: 'lower' };
const MAX: Bound = { rule: 'max', widerWhen: 'higher' };
const BOUNDS: { [keyword in keyof Bounds]-?: Bound } = {
  minLength: MIN,
  minItems: MIN,
  minProperties: MIN,
  minimum: MIN,
  exclusiveMinimum: { rule: 'gt', widerWhen: 'lower' },
  maxLength: MAX,
  maxItems: MAX,
  maxProperties: MAX,
  maximum: MAX,
  exclusiveMaximum: { rule: 'lt', widerWhen: 'higher' },
};

/** The keywords of bounds. */
export const BOUND_KEYWORDS = Object.keys(BOUNDS) as (keyof Bounds)[];

/** The same place in both states, where both refer to shared types. */
interface Use {
  before: Side;
  after: Side;
  path: string;
}

/**
 * Returns the changes from one schema to another, each breaking or compatible. A compatible change leaves every request
 * valid that was, and every field in the form in which it was read. Descriptions and the order of fields do not count.
 * Shared types count as what they contain. A change in one is reported once for each use of a shared type outside of
 * shared types, with the shortest path: there may be as many paths as 2 to the power of the number of types.
 */
export function schemaChanges(before: Side, after: Side, path: string): SchemaChange[] {
  const uses: Use[] = [];
  const changes = compare(before, after, path, uses);
  const unchanged = new Set<string>();
  return [...changes, ...uses.flatMap((use) => sharedChanges(use, unchanged))];
}

/** The changes that a use leads to. `unchanged` holds the pairs of types that are known to lead to none. */
function sharedChanges(use: Use, unchanged: Set<string>): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const reached = new Set<string>();
  // Breadth first: paths are the shortest, and types may be nested as deep as they like.
  const waiting = [use];
  for (const { before, after, path } of waiting) {
    const pair = `${before.schema.$ref} ${after.schema.$ref}`;
    if (reached.has(pair) || unchanged.has(pair)) continue;
    reached.add(pair);
    changes.push(...compare(targetOf(before), targetOf(after), path, waiting));
  }
  if (changes.length === 0) for (const pair of reached) unchanged.add(pair);
  return changes;
}

/** Compares two schemas, but for the shared types that both refer to at the same place: these are added to `uses`. */
function compare(before: Side, after: Side, path: string, uses: Use[]): SchemaChange[] {
  if (before.schema.$ref !== undefined && after.schema.$ref !== undefined) {
    uses.push({ before, after, path });
    return ruleChanges(before.schema, after.schema, path);
  }
  // A default next to a reference belongs to the field.
  const [from, to] = [before, after].map((side) => ({ ...targetOf(side).schema, ...side.schema })) as [
    Schema,
    Schema,
  ];
  if (typeName(from) !== typeName(to)) {
    const breaks = typeName(to) === 'any' ? READERS : `${SENDERS}, and ${READERS}`;
    return [{ path, what: `the type changed from ${typeName(from)} to ${typeName(to)}`, breaks }];
  }
  const inside = (schema: 'items' | 'additionalProperties', step: string): SchemaChange[] => {
    const [a, b] = [from[schema], to[schema]];
    if (!a || !b) return [];
    return compare({ ...before, schema: a }, { ...after, schema: b }, `${path}${step}`, uses);
  };
  return [
    ...ruleChanges(from, to, path),
    ...fieldChanges({ ...before, schema: from }, { ...after, schema: to }, path, uses),
    ...inside('items', '[]'),
    ...inside('additionalProperties', '{}'),
  ];
}

/** Returns a side with the shared type that it refers to in its place. */
function targetOf({ schema, types }: Side): Side {
  return { schema: resolved(schema, types), types };
}

/** The type as project.yaml calls it. */
function typeName({ type, format, additionalProperties }: Schema): string {
  if (type === undefined) return 'any';
  if (type === 'array') return 'list';
  if (format === 'date-time') return 'timestamp';
  return type === 'object' && additionalProperties ? 'map' : type;
}

function fieldChanges(before: Side, after: Side, path: string, uses: Use[]): SchemaChange[] {
  const [from, to] = [before.schema.properties ?? {}, after.schema.properties ?? {}];
  const changes: SchemaChange[] = [];
  for (const [name, schema] of Object.entries(from)) {
    const field = `${path}.${name}`;
    if (!Object.hasOwn(to, name)) {
      changes.push({ path: field, what: 'the field was removed', breaks: `${SENDERS}, and ${READERS}` });
      continue;
    }
    changes.push(...requiredChanges(before.schema, after.schema, name, field));
    changes.push(...compare({ ...before, schema }, { ...after, schema: to[name] }, field, uses));
  }
  for (const [name, schema] of Object.entries(to)) {
    if (Object.hasOwn(from, name)) continue;
    const needed = isRequired(after.schema, name) && schema.default === undefined;
    const what = needed ? 'a required field was added' : 'a field was added';
    changes.push({ path: `${path}.${name}`, what, breaks: needed ? SENDERS : undefined });
  }
  return changes;
}

function requiredChanges(before: Schema, after: Schema, name: string, path: string): SchemaChange[] {
  const [was, is] = [isRequired(before, name), isRequired(after, name)];
  if (was === is) return [];
  if (was) return [{ path, what: 'the field is no longer required', breaks: READERS }];
  const filled = after.properties?.[name].default !== undefined;
  return [{ path, what: 'the field became required', breaks: filled ? undefined : SENDERS }];
}

function isRequired({ required }: Schema, name: string): boolean {
  return required?.includes(name) ?? false;
}

function ruleChanges(before: Schema, after: Schema, path: string): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const note = (what: string, breaks: string | undefined): unknown => changes.push({ path, what, breaks });
  for (const keyword of BOUND_KEYWORDS) {
    const [from, to] = [before[keyword], after[keyword]];
    if (from === to) continue;
    note(
      changed(`rule ${BOUNDS[keyword].rule}`, from, to),
      to === undefined || isWider(before, keyword, to) ? undefined : SENDERS,
    );
  }
  const values = enumChange(before.enum, after.enum);
  if (values !== undefined) note(values.what, values.breaks);
  for (const [keyword, rule] of [
    ['format', 'format rule'],
    ['pattern', 'rule pattern'],
    ['x-list-key', 'key'],
  ] as const) {
    const [from, to] = [before[keyword], after[keyword]];
    if (from !== to) note(changed(rule, from, to), to === undefined ? undefined : SENDERS);
  }
  const [from, to] = [before.default, after.default].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  );
  // The order of members does not count.
  if (from !== to && !isDeepStrictEqual(before.default, after.default)) {
    note(
      changed('default', from, to),
      before.default === undefined ? undefined : 'an absent field has a different meaning',
    );
  }
  return changes;
}

/** Returns true where every value that the bounds of a schema let pass is within another bound. */
function isWider(before: Schema, keyword: keyof Bounds, to: number): boolean {
  // No length and no number of members is below 0.
  if (to === 0 && ['minLength', 'minItems', 'minProperties'].includes(keyword)) return true;
  const isInteger = before.type === 'integer';
  const { widerWhen } = BOUNDS[keyword];
  /** A bound as the least value above it, and whether that is excluded; an upper one is negated. */
  const leastOf = (name: keyof Bounds, value: number): { least: number; isExclusive: boolean } => {
    const least = widerWhen === 'lower' ? value : -value;
    const isExclusive = name.startsWith('exclusive');
    if (!isInteger) return { least, isExclusive };
    return { least: isExclusive ? Math.floor(least) + 1 : Math.ceil(least), isExclusive: false };
  };
  const wanted = leastOf(keyword, to);
  return comparable(keyword).some((name) => {
    const from = before[name];
    if (from === undefined) return false;
    const { least, isExclusive } = leastOf(name, from);
    return least > wanted.least || (least === wanted.least && (isExclusive || !wanted.isExclusive));
  });
}

/** The keywords of bounds on the same side of the same value. */
function comparable(keyword: keyof Bounds): (keyof Bounds)[] {
  const inclusive = (name: string) => name.replace('exclusiveM', 'm');
  return BOUND_KEYWORDS.filter((name) => inclusive(name) === inclusive(keyword));
}

function enumChange(
  before: Schema['enum'],
  after: Schema['enum'],
): Pick<SchemaChange, 'what' | 'breaks'> | undefined {
  const gone = (before ?? []).filter((value) => after !== undefined && !after.includes(value));
  if (after === undefined) return before && { what: 'rule oneof was removed', breaks: undefined };
  if (before === undefined) return { what: `rule oneof=${after.join(' ')} was added`, breaks: SENDERS };
  if (gone.length > 0) return { what: `oneof no longer allows ${gone.join(' ')}`, breaks: SENDERS };
  const added = after.filter((value) => !before.includes(value));
  return added.length === 0 ? undefined : { what: `oneof also allows ${added.join(' ')}`, breaks: undefined };
}

function changed(what: string, from: unknown, to: unknown): string {
  if (from === undefined) return `${what} was added: ${to}`;
  return to === undefined ? `${what} was removed: ${from}` : `${what} changed from ${from} to ${to}`;
}
