import projectSchema from '../load/project.schema.json';
import { clientExample } from './client-files';
import { createExamples, curlLine } from './create-examples';
import { camelCase, Identifiers } from './identifiers';
import { kindPath } from './kind-files';
import { Code, jsonFile, literal, type Printable } from './literal';
import type { Group, Project } from '../model';
import { GENERATED_HEADER } from '../write/ownership';
import { renderTemplate } from './templates';

/** `service.ts`: the service as data. */
export function serviceFile({
  name,
  validation,
  events,
  requireIfMatch,
  cacheControl,
  groups,
}: Project): string {
  const start = 'export const service: ServiceDefinition = ';
  const definition = {
    ...{ name, validation, events, requireIfMatch, cacheControl },
    groups: groups.map(({ name, storageVersion, versions, deprecations, kinds }) => ({
      ...{ name, storageVersion, versions },
      ...(Object.keys(deprecations).length > 0 && { deprecations: plain(deprecations) }),
      kinds: Object.fromEntries(
        kinds.map((kind) => [kind.name, kind.versions.map(({ version }) => version)]),
      ),
    })),
  };
  return renderTemplate('generated/service.ts', {
    definition: literal(definition, { column: start.length, tail: 1 }),
  });
}

function plain(deprecations: Group['deprecations']): Printable {
  return Object.fromEntries(Object.entries(deprecations).map(([version, parts]) => [version, { ...parts }]));
}

/** `routes.ts`: the single mount point. */
export function routesFile(project: Project): string {
  const identifiers = new Identifiers(['kinds', 'mountRoutes']);
  const kinds = project.groups.flatMap((group) =>
    group.kinds.map((kind) => ({
      path: kindPath({ group, kind }),
      kindName: identifiers.claim(`${camelCase(kind.name)}Kind`),
      routesName: identifiers.claim(`${camelCase(kind.name)}Routes`),
    })),
  );
  const start = 'export const kinds: MountedKind[] = ';
  const list = kinds.map(({ kindName, routesName }) => ({
    kind: new Code(kindName),
    routes: new Code(routesName),
  }));
  return renderTemplate('generated/routes.ts', {
    kinds,
    list: literal(list, { column: start.length, tail: 1 }),
  });
}

/** `README.md` of the generated folder: the reading order, and a request to try for each kind. */
export function readingOrder(project: Project): string {
  const examples = createExamples(project);
  return renderTemplate('generated/README.md', {
    name: project.name,
    kinds: examples.map((example) => ({ ...example, body: '', curl: curlLine(example) })),
    client: clientExample(project, examples),
  });
}

/** The schema of project.yaml, for editors to complete and check by. */
export function projectSchemaFile(): string {
  return jsonFile({ $comment: GENERATED_HEADER, ...projectSchema } as Printable);
}
