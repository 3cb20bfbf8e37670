import type { Element, Project } from '../../model/project';

/** Returns whether any field of a project has the rule `pattern`. */
export function hasPatterns({ groups }: Project): boolean {
  return groups.some(({ types, kinds }) => {
    const versions = kinds.flatMap((kind) => kind.versions);
    const fields = [
      ...types.map((type) => type.fields),
      ...versions.flatMap(({ spec, status }) => [spec, status]),
    ];
    return fields.flat().some(hasPattern);
  });
}

function hasPattern({ type, rules }: Element): boolean {
  if (rules.pattern !== undefined) return true;
  if (type.kind === 'object') return type.fields.some(hasPattern);
  if (type.kind === 'list') return hasPattern(type.items);
  return type.kind === 'map' && hasPattern(type.values);
}
