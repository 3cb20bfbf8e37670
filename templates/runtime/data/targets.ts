import { own } from '../model/fields/values';
import { below } from '../model/fragment';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import type { Resource } from '../model/resource';
import { isObject, type Json } from '../model/schema';
import type { Reference } from '../store/indexing/resource-index';
import { pointerOf } from './places';
import { addressOf, valueAt } from './plan/entries';
import type { ReferencePlan } from './plan/kind-plan';

/** Resources that references may name, by uid or by name. */
export class Targets {
  readonly #known = new Set<string>();

  /** Adds uids or names of resources of a kind. */
  add(kind: KindDefinition, ...texts: string[]): void {
    for (const text of texts) this.#known.add(addressIn(collectionOf(kind), kind, text));
  }

  /** Adds what these references name. */
  addNamed(references: readonly Reference[]): void {
    for (const { kind, index, key } of references) this.#known.add(`${kind} ${index} ${key}`);
  }

  /** Returns whether a value of a reference field, or of an element of its list, names one of them. */
  has({ collection, target }: ReferencePlan, value: Json | undefined): boolean {
    return typeof value === 'string' && this.#known.has(addressIn(collection, target, value));
  }
}

function addressIn(collection: string, kind: KindDefinition, text: string): string {
  const { index, key } = addressOf(kind, text);
  return `${collection} ${index} ${key}`;
}

/** Returns where a field of a resource names one of these targets, as pointers into the hub's document. */
export function placesOf(field: ReferencePlan, hub: Resource, targets: Targets): string[] {
  const value = valueAt(hub, field.path);
  const pointer = pointerOf(field.path);
  if (!Array.isArray(value)) return targets.has(field, value) ? [pointer] : [];
  return value.flatMap((each, index) => (targets.has(field, each) ? [below(pointer, index)] : []));
}

/** Removes references to these targets from a spec of the hub, in place. */
export function clearReferences(
  fields: readonly ReferencePlan[],
  spec: Resource['spec'],
  targets: Targets,
): void {
  for (const field of fields) {
    const parents = field.path.slice(1);
    const name = parents.pop()!;
    const holder = parents.reduce<Json | undefined>(own, spec);
    if (!isObject(holder)) continue;
    const value = own(holder, name);
    if (Array.isArray(value)) holder[name] = value.filter((each) => !targets.has(field, each));
    else if (targets.has(field, value)) delete holder[name];
  }
}
