import { buildCacheControl } from './cache-control';
import { buildGroup, groupName } from './build-group';
import type { Located } from './located';
import type { Project, ValidationMode } from '../model';
import type { TypeImports } from './imports';
import { quoted } from '../quoted';

/** Paths and modules of a service that a group's folder would collide with. */
const RESERVED_GROUPS = [
  'client',
  'runtime',
  'openapi.json',
  'routes.ts',
  'service.ts',
  'readme.md',
  'harness.ts',
  'laws',
  'tables',
];

/**
 * The project that a file describes, defaults filled in. Everything that is wrong in it is reported where it stands, except
 * what the JSON Schema of project.yaml finds; the result is of use only when nothing is.
 */
export function buildProject(root: Located, imports: TypeImports): Project {
  const groups = root.get('groups').items();
  checkGroupNames(groups);
  const plurals = new Map<string, Located>();
  return {
    name: root.get('name').text ?? '',
    validation: (root.get('validation').text ?? 'strict') as ValidationMode,
    events: root.get('events').value === true,
    requireIfMatch: root.get('requireIfMatch').value === true,
    cacheControl: buildCacheControl(root.get('cacheControl')),
    groups: groups.map((group) => buildGroup(group, imports, plurals)),
  };
}

function checkGroupNames(groups: Located[]): void {
  const first = new Map<string, Located>();
  for (const group of groups) {
    const place = group.get('name');
    const name = groupName(group);
    const other = first.get(name);
    if (other !== undefined)
      place.problem(`the group ${quoted(name)} is declared twice`, `the first is at ${other.place}`);
    else first.set(name, place);
    if (RESERVED_GROUPS.includes(name)) {
      place.problem(
        `a group cannot be called ${quoted(name)}`,
        'the service has something else of that name; add a domain',
      );
    }
  }
}
