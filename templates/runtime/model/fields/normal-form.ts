import { HttpProblem } from '../problem';
import { isObject, type Json, type JsonObject, type Schema } from '../schema';

type Types = { [name: string]: Schema };

/** The work to do in a value of a schema, found once, so that a small document costs little. */
interface Plan {
  holds: 'fields' | 'elements' | 'values';
  /** Declared fields whose null means absent. */
  nullable: Set<string>;
  /** Declared defaults, each with its length as JSON. */
  defaults: [name: string, value: Json, length: number][];
  /** Declared fields that are objects, lists or maps with work to do in them. */
  fields: [name: string, plan: Plan][];
  /** The plan of each element or value. */
  each: Plan | undefined;
  /** True if there is a default here or at any depth. */
  hasDefaults: boolean;
}

const plans = new WeakMap<Schema, Plan>();

/** Not a Buffer: the console normalises in the browser. */
const UTF_8 = new TextEncoder();

/**
 * Removes absent members: null in a declared field. A field of type `any` preserves null unless it is required.
 * Elements of lists and values of maps preserve it too; their type check fails.
 */
export function normalise(schema: Schema, types: Types, value: JsonObject): void {
  removeNulls(plans.get(schema) ?? makePlan(schema, types), value);
}

/**
 * Fills in the declared defaults of absent fields, in the objects that exist. Throws HttpProblem 413 for defaults of more than
 * `most` bytes: a list may have hundreds of thousands of objects.
 */
export function fillDefaults(schema: Schema, types: Types, value: JsonObject, most = Infinity): void {
  const plan = plans.get(schema) ?? makePlan(schema, types);
  if (!plan.hasDefaults || addDefaults(plan, value, most) >= 0) return;
  throw new HttpProblem(413, `The defaults of the fields would add more than ${most} bytes.`);
}

function removeNulls(plan: Plan, value: Json): void {
  if (plan.holds !== 'fields') {
    for (const member of members(plan, value)) removeNulls(plan.each!, member);
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (value[name] === null && plan.nullable.has(name)) delete value[name];
  }
  for (const [name, below] of plan.fields) {
    if (Object.hasOwn(value, name)) removeNulls(below, value[name]);
  }
}

/** Adds defaults until there is no room. Returns the bytes that are left, a negative number where some are missing. */
function addDefaults(plan: Plan, value: Json, room: number): number {
  let left = room;
  if (plan.holds !== 'fields') {
    for (const member of members(plan, value)) if (left >= 0) left = addDefaults(plan.each!, member, left);
    return left;
  }
  if (!isObject(value)) return left;
  for (const [name, preset, length] of plan.defaults) {
    if (Object.hasOwn(value, name)) continue;
    left -= length;
    if (left < 0) return left;
    value[name] = typeof preset === 'object' ? structuredClone(preset) : preset;
  }
  for (const [name, below] of plan.fields) {
    if (below.hasDefaults && Object.hasOwn(value, name)) left = addDefaults(below, value[name], left);
  }
  return left;
}

function members({ holds }: Plan, value: Json): Json[] {
  if (Array.isArray(value)) return holds === 'elements' ? value : [];
  return holds === 'values' && isObject(value) ? Object.values(value) : [];
}

function makePlan(schema: Schema, types: Types): Plan {
  const made = new Map<Schema, Plan>();
  const plan = planBelow(schema, types, made)!;
  for (const each of made.values()) each.hasDefaults = reachesDefault(each, new Set());
  plans.set(schema, plan);
  return plan;
}

/** Returns the plan of one schema; undefined for a scalar, and for a list or map of scalars. Types may be recursive. */
function planBelow(schema: Schema, types: Types, made: Map<Schema, Plan>): Plan | undefined {
  if (schema.$ref !== undefined) return planBelow(types[schema.$ref.slice('#/$defs/'.length)], types, made);
  const known = made.get(schema);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties } = schema;
  if (properties === undefined) {
    const member = items ?? (additionalProperties || undefined);
    const each = member && planBelow(member, types, made);
    if (each === undefined) return undefined;
    const plan: Plan = { ...emptyPlan(), holds: items === undefined ? 'values' : 'elements', each };
    made.set(schema, plan);
    return plan;
  }
  const plan = emptyPlan();
  made.set(schema, plan);
  for (const [name, field] of Object.entries(properties)) {
    const any = field.type === undefined && field.$ref === undefined;
    if (!any || schema.required?.includes(name)) plan.nullable.add(name);
    if (field.default !== undefined)
      plan.defaults.push([
        name,
        field.default,
        UTF_8.encode(JSON.stringify({ [name]: field.default })).length,
      ]);
    const below = planBelow(field, types, made);
    if (below !== undefined) plan.fields.push([name, below]);
  }
  return plan;
}

function emptyPlan(): Plan {
  return {
    holds: 'fields',
    nullable: new Set(),
    defaults: [],
    fields: [],
    each: undefined,
    hasDefaults: false,
  };
}

function reachesDefault(plan: Plan, seen: Set<Plan>): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  const below = [...plan.fields.map(([, field]) => field), ...(plan.each ? [plan.each] : [])];
  return plan.defaults.length > 0 || below.some((each) => reachesDefault(each, seen));
}
