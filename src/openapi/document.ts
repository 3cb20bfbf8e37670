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

/** All components of several parts of the document. */
export function joined(parts: Components[]): Components {
  const all = (section: keyof Components): { [name: string]: JsonObject } =>
    Object.assign({}, ...parts.map((part) => part[section])) as { [name: string]: JsonObject };
  return Object.fromEntries(SECTIONS.map((section) => [section, all(section)])) as Components;
}

/** The components that are reached from `roots`, directly or through others, in their order; empty sections are left out. */
export function reachable(roots: Json, components: Components): JsonObject {
  const reached = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as JsonObject;
    for (const key in members) {
      const member = members[key]!;
      if (key !== '$ref' || typeof member !== 'string') visit(member);
      else if (!reached.has(member)) {
        reached.add(member);
        const [, , section, name] = member.split('/') as [string, string, keyof Components, string];
        // A default may hold a member of this name that is no reference.
        visit(components[section]?.[name] ?? null);
      }
    }
  };
  visit(roots);
  return Object.fromEntries(
    SECTIONS.map((section): [string, JsonObject] => [
      section,
      Object.fromEntries(
        Object.entries(components[section]).filter(([name]) =>
          reached.has(`#/components/${section}/${name}`),
        ),
      ),
    ]).filter(([, members]) => Object.keys(members).length > 0),
  );
}
