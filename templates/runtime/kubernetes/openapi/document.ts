import type { KindDefinition } from '../../model/kinds/kind';
import type { JsonObject } from '../../model/schema';
import { contentOf, type Face } from '../face/face';
import { META_SCHEMAS, metaRef } from './meta';
import { objectPaths } from './paths';
import { COMPONENTS, openApiSchema } from './schema';

/** Returns the OpenAPI document of one version: 3.0 as a kube-apiserver has it. */
export function versionDocument(
  face: Face,
  { group, version }: { group: string; version: string },
  kinds: readonly KindDefinition[],
): JsonObject {
  const name = (type: string): string => `${group.split('.').toReversed().join('.')}.${version}.${type}`;
  return {
    openapi: '3.0.0',
    info: { title: face.service.definition.name, version },
    paths: Object.assign(
      {},
      ...kinds.map((kind) => objectPaths(kind, version, `${COMPONENTS}${name(kind.kind)}`)),
    ) as JsonObject,
    components: {
      schemas: {
        ...(Object.assign({}, ...kinds.map((kind) => kindSchemas(face, kind, version, name))) as JsonObject),
        ...META_SCHEMAS,
      },
    },
  };
}

function kindSchemas(
  face: Face,
  kind: KindDefinition,
  version: string,
  name: (type: string) => string,
): { [name: string]: JsonObject } {
  const { group, kind: title } = kind;
  const { spec, status, types } = kind.versions[version];
  const typeName = (type: string): string => name(`${title}.${type}`);
  const names: JsonObject = {
    apiVersion: { type: 'string', description: `${group}/${version}` },
    kind: { type: 'string', description: title },
  };
  const description = contentOf(face, kind).description || `A resource of the kind ${title}.`;
  return {
    [name(title)]: {
      type: 'object',
      description,
      properties: {
        ...names,
        metadata: { allOf: [metaRef('ObjectMeta')], description: 'The metadata of the object.' },
        spec: { description: 'The wanted state.', ...openApiSchema(spec, typeName) },
        status: { description: 'The observed state.', ...openApiSchema(status, typeName) },
      },
      'x-kubernetes-group-version-kind': [{ group, version, kind: title }],
    },
    [name(`${title}List`)]: {
      type: 'object',
      description: `A list of ${title}.`,
      required: ['items'],
      properties: {
        ...names,
        metadata: { allOf: [metaRef('ListMeta')] },
        items: { type: 'array', items: { allOf: [{ $ref: `${COMPONENTS}${name(title)}` }] } },
      },
      'x-kubernetes-group-version-kind': [{ group, version, kind: `${title}List` }],
    },
    ...Object.fromEntries(
      Object.entries(types).map(([type, schema]) => [typeName(type), openApiSchema(schema, typeName)]),
    ),
  };
}
