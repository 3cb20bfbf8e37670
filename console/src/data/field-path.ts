import { own } from '../../../templates/runtime/model/fields/values';
import type { Json } from '../../../templates/runtime/model/schema';
import type { Resource } from './api';

/** Returns the value of a field of a resource; names in a path, such as `spec.price`, have no dots. */
export function valueAt(resource: Resource, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>(own, resource as unknown as Json);
}
