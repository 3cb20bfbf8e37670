import { Call, Code, jsonFile, literal, type Printable } from '../../code/literal';
import { GENERATED_HEADER } from '../../files/ownership';
import projectSchema from '../../load/project.schema.json';
import type { Group, Project } from '../../model/project';
import { openApi } from '../../openapi/openapi';
import { kindPath, type PlannedProject } from '../../plan/planned-project';
import { clientExample } from '../client/client-files';
import { createExamples, curlLine } from '../client/create-examples';
import { credentialContext } from '../client/credentials';
import { usedBy } from '../features/features';
import { publicKind } from '../features/index-file';
import { readTemplate, renderTemplate } from '../text/templates';

/** `service.ts`: the service as data, with its databases and features. */
export function serviceFile(project: Project): string {
  const { name, validation, requireIfMatch, cacheControl, security, groups } = project;
  const used = usedBy(project);
  const code = (parts: (string | undefined)[]): Code[] =>
    parts.flatMap((part) => (part ? [new Code(part)] : []));
  const start = 'export const service: ServiceDefinition = ';
  const definition = {
    ...{ name, validation, requireIfMatch, cacheControl },
    ...(security.length > 0 && {
      security: new Call('required', [security.map((scheme) => ({ ...scheme }))]),
    }),
    databases: used.flatMap(({ databases }) => databases?.(project) ?? []),
    features: code(used.map(({ features }) => features?.(project))),
    ...(project.parts.workers && { workers: new Code('supervise') }),
    groups: groups.map(({ name, storageVersion, versions, deprecations, kinds }) => ({
      ...{ name, storageVersion, versions },
      ...(Object.keys(deprecations).length > 0 && { deprecations: plain(deprecations) }),
      kinds: Object.fromEntries(
        kinds.map((kind) => [kind.name, kind.versions.map(({ version }) => version)]),
      ),
    })),
  };
  const imports = used.flatMap(({ imports }) =>
    Object.entries(imports?.(project) ?? {}).map(([module, name]) => ({ module, name })),
  );
  return renderTemplate('generated/service.ts', {
    imports: imports.sort((a, b) => (a.module < b.module ? -1 : 1)),
    definition: literal(definition, { column: start.length, tail: 1 }),
  });
}

function plain(deprecations: Group['deprecations']): Printable {
  return Object.fromEntries(Object.entries(deprecations).map(([version, parts]) => [version, { ...parts }]));
}

/** `routes.ts`: the single mount point. */
export function routesFile({ kinds: planned }: PlannedProject): string {
  const kinds = planned.map((subject) => ({
    path: kindPath(subject),
    kindName: publicKind(subject.kind),
    routesName: `${publicKind(subject.kind)}Routes`,
  }));
  const list = kinds.map(({ kindName, routesName }) => ({
    kind: new Code(kindName),
    routes: new Code(routesName),
  }));
  return renderTemplate('generated/routes.ts', {
    kinds,
    list: literal(list, { indent: 2, column: 9, tail: 1 }),
  });
}

/** `README.md` of the generated folder: the reading order, and a request to try for each kind. */
export function readingOrder(project: Project): string {
  const examples = createExamples(project);
  return renderTemplate('generated/README.md', {
    name: project.name,
    kinds: examples.map((example) => ({ ...example, body: '', curl: curlLine(example, project.security) })),
    pages: project.parts.pages,
    hasClient: project.parts.client,
    ctl: project.parts.ctl,
    tests: project.parts.contractTests,
    client: project.parts.client && clientExample(project, examples),
    credentials: credentialContext(project),
  });
}

/** `test/generated/database.ts`: the database of the contract tests, in memory where the service has SQLite. */
export function testDatabaseFile({ databases }: Project): string {
  return readTemplate(`generated/${databases.includes('sqlite') ? 'memory' : 'postgres'}-database.ts`);
}

/** The schema of project.yaml, for editors to complete and check by. */
export function projectSchemaFile(): string {
  return jsonFile({ $comment: GENERATED_HEADER, ...projectSchema });
}

/** `openapi.json`: the API for clients and tools. */
export function openApiFile(plan: PlannedProject): string {
  return jsonFile({ 'x-generated-by': GENERATED_HEADER, ...openApi(plan) });
}
