import { SCALARS, TYPE_KEYS } from '../../model/fields';
import { NAME_LENGTH } from '../../model/names';
import type { Declarations, Element, Field, FieldType, OnDelete, Reference } from '../../model/project';
import { didYouMean, listed, quoted } from '../../model/quoted';
import { checkCaseTwins, type Located } from '../yaml/located';
import { buildRules, type DeclaredRules } from './build-rules';

/** The context in which the fields of a group are built. */
export interface FieldContext {
  /** The names of the group's shared types. */
  typeNames: ReadonlySet<string>;
  /** False where a file that may declare more types could not be read. */
  complete: boolean;
  /** Where each field and element stands; what is found later is reported there. */
  places: Map<Field | Element, Located>;
  /** The declarations of fields and elements that have some. */
  declarations: Map<Field | Element, Declarations>;
}

const SIMPLE = [...SCALARS, 'any'] as const;
/** The key with the fields, items or values of a type, for the types that need one. */
const PART_KEYS = { object: 'fields', list: 'items', map: 'values' } as const;
const BUILTIN: readonly string[] = [...SIMPLE, ...Object.keys(PART_KEYS)];

/** The names of types in other tools. */
const OTHER_NAMES: { readonly [type: string]: string } = {
  string: 'str text',
  integer: 'int long',
  number: 'float double decimal',
  boolean: 'bool',
  timestamp: 'date datetime time',
  list: 'array',
  map: 'dict',
  object: 'struct',
};

/** The fields of an object, in the order of the file. */
export function buildFields(place: Located, context: FieldContext): Field[] {
  const entries = place.entries();
  checkCaseTwins(entries);
  return entries.map(([name, field]) => buildField(name, field, context));
}

function buildField(name: string, place: Located, context: FieldContext): Field {
  const { element, required, declared } = buildElement(place, context, 'field');
  const { type, rules, description } = element;
  const preset = place.get('default');
  const isNull = preset.value === null && type.kind !== 'any';
  if (isNull) preset.keyProblem('a default of null has no effect: null means absent', 'remove "default"');
  const value = isNull ? undefined : preset.value;
  const field: Field = { name, type, rules, required, default: value, description };
  context.places.set(field, place);
  if (Object.keys(declared).length > 0) context.declarations.set(field, declared);
  return field;
}

interface Built {
  element: Element;
  required: boolean;
  declared: Declarations;
}

function buildElement(place: Located, context: FieldContext, owner: 'field' | 'element'): Built {
  const type = buildType(place, context);
  const { rules, required, stored }: DeclaredRules = buildRules(place.get('rules'), type?.kind, owner);
  const element = { type: type ?? UNKNOWN, rules, description: place.get('description').text ?? '' };
  const ref = buildReference(place.get('ref'));
  const declared: Declarations = {
    ...(place.get('selectable').value === true && { selectable: true }),
    ...stored,
    ...(ref !== undefined && { ref }),
  };
  context.places.set(element, place);
  if (owner === 'element' && ref !== undefined) context.declarations.set(element, { ref });
  return { element, required, declared };
}

/** Returns a reference as `Kind` or `{ kind, onDelete }` declares it; undefined where there is none. */
function buildReference(place: Located): Reference | undefined {
  const kind = place.text ?? place.get('kind').text;
  if (kind === undefined) return undefined;
  return { kind, onDelete: (place.get('onDelete').text ?? 'restrict') as OnDelete };
}

/** Stands for a type that has been reported. */
export const UNKNOWN: FieldType = { kind: 'any' };

function buildType(place: Located, context: FieldContext): FieldType | undefined {
  const at = place.text === undefined ? place.get('type') : place;
  const name = at.text;
  if (name === undefined) return undefined;
  if (place !== at) checkParts(place, name);
  if ((SIMPLE as readonly string[]).includes(name)) return { kind: name as (typeof SIMPLE)[number] };
  if (Object.hasOwn(PART_KEYS, name)) return composite(place, at, name as keyof typeof PART_KEYS, context);
  if (context.typeNames.has(name)) return { kind: 'ref', name };
  if (context.complete) reportUnknown(at, name, context.typeNames);
  return undefined;
}

function composite(
  place: Located,
  at: Located,
  kind: keyof typeof PART_KEYS,
  context: FieldContext,
): FieldType | undefined {
  const part = place.get(PART_KEYS[kind]);
  if (part.value === undefined) {
    at.problem(`the type ${kind} needs ${quoted(PART_KEYS[kind])}`, EXAMPLES[kind]);
    return undefined;
  }
  if (kind === 'object') return { kind, fields: buildFields(part, context) };
  const { element } = buildElement(part, context, 'element');
  if (kind === 'map') return { kind, values: element };
  return { kind, items: element, key: place.get('key').text };
}

const EXAMPLES = {
  object: 'write { type: object, fields: { name: string } }, or use the type any or map for free content',
  list: 'write { type: list, items: string }',
  map: 'write { type: map, values: string }',
};

/** Reports keys that belong to another type. */
function checkParts(place: Located, type: string): void {
  for (const [key, owner] of Object.entries(TYPE_KEYS)) {
    const part = place.get(key);
    if (part.value === undefined || type === owner) continue;
    part.keyProblem(
      `${quoted(key)} goes with type: ${owner}, not with type: ${type.slice(0, NAME_LENGTH)}`,
      'remove one of the two',
    );
  }
}

function reportUnknown(at: Located, name: string, typeNames: ReadonlySet<string>): void {
  const isOther = (names: string): boolean => names.split(' ').includes(name.toLowerCase());
  const [other] = Object.entries(OTHER_NAMES).find(([, names]) => isOther(names)) ?? [];
  const shared = typeNames.size > 0 ? `; the shared types of the group: ${listed(typeNames)}` : '';
  const known = other ? `did you mean ${quoted(other)}?` : `the types are ${BUILTIN.join(', ')}${shared}`;
  const hint = didYouMean(name, [...BUILTIN, ...typeNames], known);
  at.problem(`unknown type ${quoted(name)}`, hint);
}
