import { UNKNOWN } from './build-fields';
import { didYouMean, listed } from './hints';
import type { Located } from './located';
import type { Element, Field, FieldType, SharedType } from '../model';
import { quoted } from '../quoted';

/** Reports lists whose `key` cannot identify an element: it must be a string or integer field of objects. */
export function checkListKeys(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const fieldsOf = new Map(types.map(({ name, fields }) => [name, fields]));
  for (const [{ type }, place] of places) {
    if (type.kind !== 'list' || type.key === undefined || type.items.type === UNKNOWN) continue;
    checkKey(type.key, elementFields(type.items.type, fieldsOf), place.get('key'));
  }
}

function elementFields(type: FieldType, fieldsOf: ReadonlyMap<string, Field[]>): Field[] | undefined {
  if (type.kind === 'object') return type.fields;
  return type.kind === 'ref' ? fieldsOf.get(type.name) : undefined;
}

function checkKey(key: string, fields: Field[] | undefined, place: Located): void {
  if (fields === undefined) {
    place.problem('only a list of objects can have a key', 'remove it, or give the elements fields');
    return;
  }
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) {
    const names = fields.map(({ name }) => name);
    const hint = didYouMean(key, names, `their fields are ${listed(names)}`);
    place.problem(`the elements have no field ${quoted(key)}`, hint);
  } else if (field.type.kind !== 'string' && field.type.kind !== 'integer') {
    place.problem(`the key ${quoted(key)} must be a string or an integer`);
  }
}
