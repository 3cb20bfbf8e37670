import type { KindDefinition } from '../../model/kinds/kind';
import type { JsonObject } from '../../model/schema';
import { APPLY_TYPE, PATCH_TYPES, YAML_TYPE } from '../writes/object-body';
import { metaRef } from './meta';

const query = (name: string, type: string, description: string): JsonObject => ({
  ...{ name, in: 'query', description },
  schema: { type, uniqueItems: true },
});

const WRITING = [
  query('dryRun', 'string', 'All: everything is checked, and nothing is written.'),
  query('fieldManager', 'string', 'The name of the program that writes.'),
  query('fieldValidation', 'string', 'The treatment of unknown fields: Ignore, Warn or Strict.'),
];
const FORCE = query('force', 'boolean', 'Takes over fields of other managers, in server-side apply.');
const SELECTING = [
  query('labelSelector', 'string', 'Selects by labels.'),
  query('fieldSelector', 'string', 'Selects by fields.'),
  query('limit', 'integer', 'The maximum number of objects of a page.'),
  query('continue', 'string', 'The token of the page.'),
];
const WATCHING = [
  query('watch', 'boolean', 'Streams changes instead of a list.'),
  query('resourceVersion', 'string', 'The revision that a watch starts from.'),
  query('resourceVersionMatch', 'string', 'The meaning of resourceVersion.'),
  query('sendInitialEvents', 'boolean', 'A watch begins with all objects.'),
  query('allowWatchBookmarks', 'boolean', 'A watch has bookmarks.'),
  query('timeoutSeconds', 'integer', 'The time after which a watch ends.'),
];
const NAME = {
  ...{ name: 'name', in: 'path', required: true, description: 'The name of the object.' },
  schema: { type: 'string', uniqueItems: true },
};
/** The actions that may create an object: server-side apply is a patch. */
const CREATING = new Set(['post', 'patch']);

/** Returns the paths of a kind in one version, without the start that all paths have. `ref` is that of its schema. */
export function objectPaths(kind: KindDefinition, version: string, ref: string): JsonObject {
  const one = { $ref: ref };
  const operation = (action: string, response: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...more,
    responses: {
      '200': { description: 'OK', content: json(response) },
      ...(CREATING.has(action) && { '201': { description: 'Created', content: json(response) } }),
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, version, kind: kind.kind },
  });
  const path = `/apis/${kind.group}/${version}/${kind.plural}`;
  const body = { required: true, content: sent(one) };
  const patch = {
    requestBody: {
      required: true,
      content: Object.fromEntries(
        [APPLY_TYPE, ...PATCH_TYPES].map((type) => [type, { schema: metaRef('Patch') }]),
      ),
    },
    parameters: [...WRITING, FORCE],
  };
  const put = { requestBody: body, parameters: WRITING };
  const item = {
    ...{ parameters: [NAME], get: operation('get', one) },
    ...{ put: operation('put', one, put), patch: operation('patch', one, patch) },
  };
  return {
    [path]: {
      get: operation('list', { $ref: `${ref}List` }, { parameters: [...SELECTING, ...WATCHING] }),
      post: operation('post', one, put),
      delete: operation('deletecollection', metaRef('Status'), { parameters: [...SELECTING, WRITING[0]] }),
    },
    [`${path}/{name}`]: {
      ...item,
      delete: operation('delete', metaRef('Status'), {
        requestBody: { content: sent(metaRef('DeleteOptions')) },
        parameters: [WRITING[0]],
      }),
    },
    [`${path}/{name}/status`]: item,
  };
}

/** Returns the content of a body that clients send. */
function sent(schema: JsonObject): JsonObject {
  return { ...json(schema), [YAML_TYPE]: { schema } };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}
