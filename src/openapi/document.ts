import type { Json } from '../model';

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** The schema of an object with any members; generators take one without `additionalProperties` for an empty one. */
export const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

/** The sections of `components` that the document has. */
export const SECTIONS = ['schemas', 'parameters', 'headers', 'requestBodies', 'responses'] as const;

/** Components by section and name. */
export type Components = { [section in (typeof SECTIONS)[number]]: { [name: string]: JsonObject } };

/** The components that are reached from `roots`, directly or through others: those in `components`, and the names of others. */
export function reached(roots: Json, components: Components): { components: Components; others: string[] } {
  const names = new Set<string>();
  const others = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as JsonObject;
    for (const key in members) {
      const member = members[key]!;
      if (key === '$ref' && typeof member === 'string') follow(member);
      else visit(member);
    }
  };
  const follow = (reference: string): void => {
    if (names.has(reference)) return;
    names.add(reference);
    // A default may hold a member of this name that is no reference.
    const [, , section, name] = reference.split('/') as [string, string, keyof Components, string];
    const component = components[section]?.[name];
    if (component === undefined) others.add(reference);
    else visit(component);
  };
  visit(roots);
  return { components: only(components, names), others: [...others] };
}

/** The components of these references. */
function only(components: Components, references: Set<string>): Components {
  return bySection((section) =>
    Object.fromEntries(
      Object.entries(components[section]).filter(([name]) =>
        references.has(`#/components/${section}/${name}`),
      ),
    ),
  );
}

/** An object with a member for each section. */
export function bySection<T>(of: (section: keyof Components) => T): { [section in keyof Components]: T } {
  return Object.fromEntries(SECTIONS.map((section) => [section, of(section)])) as {
    [section in keyof Components]: T;
  };
}
