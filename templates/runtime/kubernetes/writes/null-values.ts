import { resolved, type Shape } from '../../model/fields/shape';
import { isObject, type Json, type Schema } from '../../model/schema';

/**
 * Removes the null members of maps from a value, in place, as a kube-apiserver does: YAML has null after a key without a value.
 * Values of any type may be null. Null fields of objects count as absent on every API.
 */
export function removeNullValues(value: Json, shape: Shape): void {
  const { properties = {}, additionalProperties, items } = resolved(shape);
  const inside = (each: Json, schema: Schema): void => removeNullValues(each, { ...shape, schema });
  if (Array.isArray(value)) {
    if (items !== undefined) for (const each of value) inside(each, items);
    return;
  }
  if (!isObject(value)) return;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isTyped = values !== undefined && resolved({ ...shape, schema: values }).type !== undefined;
  for (const [name, each] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : values;
    if (each === null && schema === values && isTyped) delete value[name];
    else if (schema !== undefined) inside(each, schema);
  }
}
