import { capitalised } from '../model/names';
import type { Json, JsonObject, Kind, SharedType } from '../model/project';

/** The schema of a string. */
export const TEXT = { type: 'string' } as const;

/** The schema of a map of strings. */
export const TEXTS = { type: 'object', additionalProperties: TEXT } as const;

/** The schema of a point in time. */
export const TIMESTAMP = { type: 'string', format: 'date-time' } as const;

/** The schema of a number of something. */
export const COUNT = { type: 'integer', minimum: 1 } as const;

/** The schema of an object with any members; generators take one without `additionalProperties` for an empty one. */
export const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

/** The sections of `components` that the document has. */
const SECTIONS = ['schemas', 'parameters', 'headers', 'responses'] as const;

/** Components by section and name. */
export type Components = { [section in (typeof SECTIONS)[number]]: { [name: string]: JsonObject } };

/** Returns the components that are reached from `roots`, directly or through others; sections without any are left out. */
export function reached(roots: Json, components: Components): Partial<Components> {
  const names = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as JsonObject;
    for (const key in members) {
      const member = members[key]!;
      // A default may hold a member of this name that is no reference.
      if (key === '$ref' && typeof member === 'string') follow(member);
      else visit(member);
    }
  };
  const follow = (reference: string): void => {
    if (names.has(reference)) return;
    names.add(reference);
    const [, , section, name] = reference.split('/') as [string, string, keyof Components, string];
    visit(components[section]?.[name] ?? null);
  };
  visit(roots);
  const sections = SECTIONS.map((section) => {
    const members = Object.entries(components[section]);
    return [section, members.filter(([name]) => names.has(`#/components/${section}/${name}`))] as const;
  });
  return Object.fromEntries(
    sections.flatMap(([section, members]) =>
      members.length === 0 ? [] : [[section, Object.fromEntries(members)]],
    ),
  );
}

/** Returns an object with the members of all of these. */
export function merged<T extends object>(parts: T[]): T {
  return Object.assign({}, ...parts) as T;
}

/** Returns the components of several parts together. */
export function joined(parts: Partial<Components>[]): Components {
  const sections = SECTIONS.map((section) => [section, merged(parts.map((part) => part[section] ?? {}))]);
  return Object.fromEntries(sections) as Components;
}

/** The nouns that a kind's operations are named after. */
export interface Nouns {
  /** `Device` */
  one: string;
  /** `a Device`, `an Item` */
  a: string;
  /** `Devices` */
  many: string;
}

/** The nouns of a kind: the kind itself, and its plural with the kind's capitals as far as they agree. */
export function nounsOf({ name, plural }: Kind): Nouns {
  let common = 0;
  while (common < name.length && name[common].toLowerCase() === plural[common]) common++;
  const many = capitalised(name.slice(0, common) + plural.slice(common));
  return { one: name, a: withArticle(name), many };
}

/** A name with its article: `a Device`, `an Item`, `a User`, `an Upload`. */
export function withArticle(name: string): string {
  return `${/^(?:[AEIO]|U(?![a-z]?[aeiou]|ni))/.test(name) ? 'an' : 'a'} ${name}`;
}

/** A reference to a component. */
export function ref(section: keyof Components, name: string): { $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

/** The headers of a response, each with the name of its component. */
export function headerRefs(headers: { [name: string]: string }): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, component]) => [name, ref('headers', component)]),
  );
}

/** The place of the version in the name of a component whose version is negotiated. */
export const NEGOTIATED = 'Negotiated';

/**
 * Returns the name of a component of a kind: `DeviceV1`, `DeviceV1Spec`, `DeviceNegotiatedInput`. The names begin as those
 * that the service's own files import, and have no dots: tools make modules and classes of them.
 */
export function kindComponent({ publicName }: Kind, version: string, ...parts: string[]): string {
  return [publicName, capitalised(version), ...parts].join('');
}

/** Returns the name of the component of a shared type: `ConditionType`. */
export function typeComponent({ publicName }: SharedType): string {
  return `${capitalised(publicName)}Type`;
}

/** Returns a parameter of a request. */
export function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  description: string,
  schema: JsonObject = TEXT,
): JsonObject {
  return { name, in: place, ...(place === 'path' && { required: true }), description, schema };
}
