import { isObject, type Json } from '../../../templates/runtime/model/schema';
import type { Resource } from './api';

/** Returns the value of a field of a resource; names in a path, such as `spec.price`, have no dots. */
export function valueAt(resource: Resource, path: string): Json | undefined {
  let at: Json | undefined = resource as unknown as Json;
  for (const name of path.split('.')) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}
