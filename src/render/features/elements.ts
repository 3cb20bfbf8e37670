import type { Element, Project } from '../../model/project';

/** Returns whether any field of a project, element or value of one meets a condition. */
export function hasElement({ groups }: Project, meets: (element: Element) => boolean): boolean {
  const isFound = (element: Element): boolean => {
    const { type } = element;
    if (meets(element)) return true;
    if (type.kind === 'object') return type.fields.some(isFound);
    if (type.kind === 'list') return isFound(type.items);
    return type.kind === 'map' && isFound(type.values);
  };
  return groups.some(({ types, kinds }) => {
    const versions = kinds.flatMap((kind) => kind.versions);
    const fields = [
      ...types.map((type) => type.fields),
      ...versions.flatMap(({ spec, status }) => [spec, status]),
    ];
    return fields.flat().some(isFound);
  });
}
