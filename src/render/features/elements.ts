import { partsOf } from '../../model/fields';
import type { Element, Project } from '../../model/project';

/** Returns whether any field of a project, element or value of one meets a condition. */
export function hasElement({ groups }: Project, meets: (element: Element) => boolean): boolean {
  const isFound = (element: Element): boolean => meets(element) || partsOf(element.type).some(isFound);
  return groups.some(({ types, kinds }) => {
    const versions = kinds.flatMap((kind) => kind.versions);
    const fields = [
      ...types.map((type) => type.fields),
      ...versions.flatMap(({ spec, status }) => [spec, status]),
    ];
    return fields.flat().some(isFound);
  });
}
