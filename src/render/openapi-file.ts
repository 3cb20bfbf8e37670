import { digestOf } from '../cache/digest';
import type { Project } from '../model';
import { documentedKinds, frame, only } from '../openapi';
import type { JsonObject } from '../openapi/document';
import { kindPart, type DocumentedKind, type KindPart } from '../openapi/kind-part';
import { GENERATED_HEADER } from '../write/ownership';
import { jsonFile, jsonMembers, Printed, type Printable } from './literal';

/** Where the document is. */
export const OPENAPI_FILE = 'src/generated/openapi.json';

/** The parts of the document that hold members of kinds. */
export const PART_TEXTS = ['paths', 'schemas', 'requestBodies', 'responses'] as const;

/** What a kind has in the document, as text. */
export interface PrintedPart extends Pick<KindPart, 'types' | 'references'> {
  /** A digest of all that it is made of. */
  source: string;
  /** Members with commas between them, none at the end. */
  texts: { [part in (typeof PART_TEXTS)[number]]: string };
}

/** How far from the left the members of a component's section, and the paths, stand. */
const PATHS = 4;
const COMPONENTS = 6;

/** `openapi.json`: the API for clients and tools. */
export function openApiFile(project: Project): string {
  return openApiText(project, () => undefined).text;
}

/** The document and its parts; `recall` gives a part that is known by its source. */
export function openApiText(
  project: Project,
  recall: (source: string) => PrintedPart | undefined,
): { text: string; parts: PrintedPart[] } {
  const settings = { ...project, groups: [] };
  const kinds = documentedKinds(project);
  const shared = new Map(
    project.groups.map((group) => [group, digestOf(JSON.stringify([settings, { ...group, kinds: [] }]))]),
  );
  const parts = kinds.map((documented, index) => {
    const { kind, operationIds, tag } = documented;
    const isLast = index === kinds.length - 1;
    const own = JSON.stringify([kind, operationIds, tag, isLast]);
    const source = digestOf(shared.get(documented.group)!, own);
    return recall(source) ?? printPart(settings, documented, source, isLast);
  });
  return { text: documentText(project, parts), parts };
}

function printPart(
  settings: Project,
  documented: DocumentedKind,
  source: string,
  isLast: boolean,
): PrintedPart {
  const group = { ...documented.group, kinds: [documented.kind] };
  const { paths, components, types, references } = kindPart(settings, { ...documented, group });
  const { schemas, requestBodies, responses } = components;
  return {
    ...{ source, types, references },
    texts: {
      paths: jsonMembers(paths, PATHS, false),
      schemas: jsonMembers(schemas, COMPONENTS, isLast),
      requestBodies: jsonMembers(requestBodies, COMPONENTS, isLast),
      responses: jsonMembers(responses, COMPONENTS, isLast),
    },
  };
}

function documentText(project: Project, parts: PrintedPart[]): string {
  const { head, paths, components, types } = frame(project, parts);
  const printed = new Set<string>();
  const typeTexts = parts.map((part) => {
    const own = part.types.filter((name) => !printed.has(name));
    own.forEach((name) => printed.add(name));
    return jsonMembers(only(types, own), COMPONENTS, false);
  });
  const section = (shared: JsonObject, texts: string[]): Printable => {
    const members = [jsonMembers(shared, COMPONENTS, texts.length === 0), ...texts].filter(
      (text) => text !== '',
    );
    return members.length === 0 ? undefined : new Printed(members);
  };
  const of = (name: 'requestBodies' | 'responses'): string[] => parts.map(({ texts }) => texts[name]);
  return jsonFile({
    'x-generated-by': GENERATED_HEADER,
    ...(head as { [name: string]: Printable }),
    paths: new Printed([...parts.map(({ texts }) => texts.paths), jsonMembers(paths.paths, PATHS, true)]),
    ...paths.hooks,
    components: {
      schemas: section(
        components.schemas,
        parts.flatMap(({ texts }, index) => [typeTexts[index]!, texts.schemas]),
      ),
      parameters: nonEmpty(components.parameters),
      headers: nonEmpty(components.headers),
      requestBodies: section(components.requestBodies, of('requestBodies')),
      responses: section(components.responses, of('responses')),
    },
  });
}

function nonEmpty(members: JsonObject): Printable {
  return Object.keys(members).length === 0 ? undefined : members;
}
