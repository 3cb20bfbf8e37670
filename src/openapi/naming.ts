import type { Kind } from '../model';
import type { JsonObject } from './document';

/** The nouns that a kind's operationIds are made of. */
export interface Nouns {
  /** `Device` */
  one: string;
  /** `Devices` */
  many: string;
}

/** The nouns of a kind: the kind itself, and its plural with the kind's capitals as far as they agree. */
export function nounsOf({ name, plural }: Kind): Nouns {
  let common = 0;
  while (common < name.length && name[common]!.toLowerCase() === plural[common]) common++;
  return { one: name, many: capitalised(name.slice(0, common) + plural.slice(common)) };
}

/** `example.svc.dev` → `ExampleSvcDev`, `v2beta1` → `V2beta1`. */
export function capitalised(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Hands out names that are unique: what is taken gets the group's name, then a number. */
export class UniqueNames {
  private readonly taken = new Set<string>();

  /** `name`, or the nearest name to it that is free. */
  take(name: string, group: string): string {
    const longer = name + capitalised(group);
    let free = this.taken.has(name) ? longer : name;
    for (let count = 2; this.taken.has(free); count++) free = `${longer}${count}`;
    this.taken.add(free);
    return free;
  }
}

/** A reference to a component. */
export function ref(
  section: 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies',
  name: string,
): { $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

/** The headers of a response, each with the name of its component. */
export function headerRefs(headers: { [name: string]: string }): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, component]) => [name, ref('headers', component)]),
  );
}

/** What stands for the version in the name of a component whose version is negotiated. */
export const NEGOTIATED = 'Negotiated';

/**
 * The name of a component: `example.svc.dev.v1.Device`, `example.svc.dev.v1.Device.Spec`. Versions have no dot
 * and kinds begin with a capital, so no two are the same.
 */
export function componentName(group: string, version: string, ...rest: string[]): string {
  return [group, version, ...rest].join('.');
}
