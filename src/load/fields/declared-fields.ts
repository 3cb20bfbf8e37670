import { own } from '../../../templates/runtime/model/fields/values';
import { partsOf } from '../../model/fields';
import { typesWith } from '../../model/json-schema';
import type {
  Declarations,
  DeclaredField,
  Element,
  Field,
  FieldType,
  Json,
  SharedType,
} from '../../model/project';
import type { FieldContext } from './build-fields';
import { problemAt } from './declaration-place';

/** The declarations that only fields of the spec can have. */
const OF_SPEC = ['unique', 'immutable', 'ref'] as const;
/** The number of fields with declarations that a kind can have in a version: each costs an index entry per resource. */
const MAX_DECLARED = 100;

/**
 * Returns the fields with declarations of a kind in a version, by their paths from `spec` and `status`. Reports those that
 * stand where a declaration cannot work.
 */
export type DeclaredIn = (kind: string, version: { spec: Field[]; status: Field[] }) => DeclaredField[];

/** Finds the fields with declarations in a group with these shared types. */
export function declaredFields(types: SharedType[], context: FieldContext): DeclaredIn {
  const declaring =
    context.declarations.size === 0 ? new Map<string, Field[]>() : declaringTypes(types, context);
  return (kind, { spec, status }) => {
    if (context.declarations.size === 0) return [];
    const walk = new Walk(kind, context, declaring);
    walk.fields(spec, ['spec'], []);
    walk.fields(status, ['status'], []);
    return walk.found;
  };
}

/** A walk through the fields of one version. */
class Walk {
  readonly found: DeclaredField[] = [];
  /** The fields around the present one, from the outside. */
  private readonly around: Field[] = [];

  constructor(
    private readonly kind: string,
    private readonly context: FieldContext,
    /** The fields of the shared types with declarations in them, at any depth: no other is walked through. */
    private readonly declaring: ReadonlyMap<string, Field[]>,
  ) {}

  /** `types` are the shared types that the fields are in. */
  fields(fields: Field[], above: string[], types: string[]): void {
    for (const field of fields) {
      const path = [...above, field.name];
      const declared = this.declarationsOf(field, above[0]);
      if (declared !== undefined) this.add(field, path, declared);
      if (this.found.length > MAX_DECLARED) return;
      this.around.push(field);
      this.below(field.type, path, types);
      this.around.pop();
    }
  }

  private add(field: Field, path: string[], declared: Declarations): void {
    const isList = field.type.kind === 'list';
    const { kind: type } = isList ? (field.type as FieldType & { kind: 'list' }).items.type : field.type;
    this.found.push({ path, type, isList, ...declared });
    checkSurroundings(field, declared, this.around, this.context);
    if (this.found.length <= MAX_DECLARED) return;
    const message = `${this.kind} has more than ${MAX_DECLARED} fields that are selectable, unique, immutable or references`;
    this.context.places.get(field)!.keyProblem(message, 'each costs time with every write; remove some');
  }

  /** Returns the declarations of a field, with the reference of a list's elements; undefined where there are none. */
  private declarationsOf(field: Field, root: string): Declarations | undefined {
    const { declarations, places } = this.context;
    const ofField = declarations.get(field) ?? {};
    const element = field.type.kind === 'list' ? declarations.get(field.type.items) : undefined;
    const all: Declarations = { ...ofField, ...element };
    for (const name of root === 'status' ? OF_SPEC : []) {
      if (all[name] === undefined) continue;
      const place = places.get(name === 'ref' && ofField.ref === undefined ? elementOf(field) : field)!;
      const message = `${NAMES[name]} applies to fields of the spec, not of the status`;
      problemAt(place, name, message, 'remove it; a field of the status can be selectable');
      delete all[name];
    }
    return Object.keys(all).length > 0 ? all : undefined;
  }

  private below(type: FieldType, path: string[], types: string[]): void {
    if (type.kind === 'object') this.fields(type.fields, path, types);
    else if (type.kind === 'list' || type.kind === 'map') {
      const element = type.kind === 'list' ? type.items : type.values;
      const text = path.join('.');
      if (type.kind === 'map' || element.type.kind === 'list' || element.type.kind === 'map')
        this.misplaced(element, `below a ${type.kind}`, text);
      this.inside(element.type, `below a ${type.kind}`, text, new Set());
    } else if (type.kind === 'ref') {
      if (types.includes(type.name))
        this.inside(type, `in ${type.name}, which contains itself`, path.join('.'), new Set());
      else this.fields(this.declaring.get(type.name) ?? [], path, [...types, type.name]);
    }
  }

  /** Reports all declarations at any depth of a type that a resource does not have exactly once. */
  private inside(type: FieldType, where: string, path: string, seen: Set<string>): void {
    if (type.kind === 'ref') {
      if (seen.has(type.name)) return;
      seen.add(type.name);
    }
    for (const part of type.kind === 'ref' ? (this.declaring.get(type.name) ?? []) : partsOf(type)) {
      this.misplaced(part, where, path);
      this.inside(part.type, where, path, seen);
    }
  }

  private misplaced(node: Field | Element, where: string, path: string): void {
    const declared = this.context.declarations.get(node);
    if (declared === undefined) return;
    const place = this.context.places.get(node)!;
    const hint = `${this.kind} has it at ${path}: declare it for a field that a resource has once`;
    for (const name of Object.keys(declared) as (keyof Declarations)[])
      problemAt(place, name, `${NAMES[name]} cannot be declared ${where}`, hint);
  }
}

const NAMES: { readonly [name in keyof Declarations]-?: string } = {
  selectable: '"selectable"',
  unique: 'the rule unique',
  immutable: 'the rule immutable',
  ref: '"ref"',
};

function elementOf({ type }: Field): Element {
  return (type as FieldType & { kind: 'list' }).items;
}

function declaringTypes(types: SharedType[], { declarations }: FieldContext): Map<string, Field[]> {
  const declares = (node: Field | Element): boolean =>
    declarations.has(node) || partsOf(node.type).some(declares);
  const found = typesWith(types, (fields) => fields.some(declares));
  return new Map(found.map(({ name, fields }) => [name, fields]));
}

/** Reports declarations of a field that cannot work because of the objects around it; `around` begins with the outermost one. */
function checkSurroundings(
  field: Field,
  declared: Declarations,
  around: readonly Field[],
  { declarations, places }: FieldContext,
): void {
  const fixed = around.find((each) => declarations.get(each)?.immutable);
  if (declared.ref?.onDelete === 'clear' && fixed !== undefined) {
    const place = places.get(field.type.kind === 'list' ? field.type.items : field)!;
    const message = `onDelete: clear would change ${fixed.name}, which is immutable`;
    problemAt(place, 'onDelete', message, 'use restrict or cascade, or remove the rule immutable');
  }
  const filled = around.find((each, index) => hasValueAt(each.default, [...around.slice(index + 1), field]));
  if (declared.unique && filled !== undefined) {
    const message = `the default of ${filled.name} has a value for a unique field: only one resource could have it`;
    problemAt(places.get(field)!, 'unique', message, 'remove the value from the default');
  }
}

function hasValueAt(value: Json | undefined, path: readonly Field[]): boolean {
  return (path.reduce((parent, { name }) => own(parent, name), value) ?? null) !== null;
}
