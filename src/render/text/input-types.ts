import { Identifiers } from '../../code/identifiers';
import { partsOf } from '../../model/fields';
import { statusFields, typesWith, usedTypes } from '../../model/json-schema';
import type { Element, Field, FieldType } from '../../model/project';
import type { VersionSubject } from '../../plan/planned-project';
import { declaration } from './type-text';

/** The types of what clients write of a kind in one version: what has a default may be left out. */
interface InputTypes {
  /** The name of the whole, such as `DeviceInput`. */
  input: string;
  /** The names of its parts: those of the kind's own types, where these are the same. */
  spec: string;
  status: string;
  /** The declarations of the parts that have names of their own. */
  declarations: string[];
}

/**
 * Returns the fields of a status that responses show: those that are required are so in a write of the status, and the
 * first status has only the defaults.
 */
export function shownStatus(fields: Field[]): Field[] {
  return fields.map((field) =>
    field.required && field.default === undefined ? { ...field, required: false } : field,
  );
}

/** The names and declarations of a kind's input types. */
export function inputTypes({ group, kind, version }: VersionSubject): InputTypes {
  const { name } = kind;
  const [spec, status] = [version.spec, statusFields(kind, version)];
  const shared = usedTypes(group.types, [...spec, ...status]);
  const names = new Identifiers([
    ...[name, `${name}Spec`, `${name}Status`],
    ...shared.map((type) => type.name),
  ]);
  const input = names.claim(`${name}Input`);
  const renamed = new Map<string, string>();
  for (const type of typesWith(shared, (fields) => haveDefault(fields, renamed)))
    renamed.set(type.name, names.claim(`${type.name}Input`));

  const declarations: string[] = [];
  const part = (own: string, fields: Field[], shown: Field[]): string => {
    const isSame = fields.every((field) => shown.includes(field));
    if (isSame && !haveDefault(fields, renamed)) return own;
    const claimed = names.claim(`${own}Input`);
    const comment = `${own} in requests: fields with a default are optional.`;
    declarations.push(declaration(claimed, optional(fields, renamed), comment));
    return claimed;
  };
  const parts = {
    spec: part(`${name}Spec`, spec, spec),
    status: part(`${name}Status`, status, shownStatus(status)),
  };
  for (const type of shared) {
    const own = renamed.get(type.name);
    if (own !== undefined) declarations.push(declaration(own, optional(type.fields, renamed), ''));
  }
  return { input, ...parts, declarations };
}

/** Returns true where a field has a default, or one inside it; `renamed` has the shared types with some. */
function haveDefault(parts: readonly (Field | Element)[], renamed: ReadonlyMap<string, string>): boolean {
  return parts.some((part) => {
    if ('default' in part && part.default !== undefined) return true;
    return part.type.kind === 'ref' ? renamed.has(part.type.name) : haveDefault(partsOf(part.type), renamed);
  });
}

/** The fields, those with a default optional; `renamed` has the names of shared types for input. */
function optional(fields: Field[], renamed: ReadonlyMap<string, string>): Field[] {
  return fields.map((field) => {
    const type = renamedIn(field.type, renamed);
    if (field.default === undefined) return { ...field, type };
    const preset = `Default: ${JSON.stringify(field.default)}.`;
    const description = [field.description, preset].filter((text) => text !== '').join('\n');
    return { ...field, type, required: false, default: undefined, description };
  });
}

function renamedIn(type: FieldType, renamed: ReadonlyMap<string, string>): FieldType {
  const element = (each: Element): Element => ({ ...each, type: renamedIn(each.type, renamed) });
  switch (type.kind) {
    case 'object':
      return { ...type, fields: optional(type.fields, renamed) };
    case 'list':
      return { ...type, items: element(type.items) };
    case 'map':
      return { ...type, values: element(type.values) };
    case 'ref':
      return { ...type, name: renamed.get(type.name) ?? type.name };
    default:
      return type;
  }
}
