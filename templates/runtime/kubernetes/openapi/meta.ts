import type { JsonObject } from '../../model/schema';
import { COMPONENTS } from './schema';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const string = (description: string): JsonObject => ({ type: 'string', description });
const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });
const strings = (description: string): JsonObject => ({
  ...map({ type: 'string', default: '' }),
  description,
});
const map = (additionalProperties: JsonObject): JsonObject => ({ type: 'object', additionalProperties });
const list = (description: string, items: JsonObject): JsonObject => ({ type: 'array', description, items });

const flag = (description: string): JsonObject => ({ type: 'boolean', description });
const OWNER_REFERENCE: JsonObject = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  description: 'An object that another one depends on.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: string('The API version of the owner.'),
    kind: string('The kind of the owner.'),
    name: string('The name of the owner.'),
    uid: string('The id of the owner.'),
    controller: flag('At most one owner is the controller.'),
    blockOwnerDeletion: flag('Stored for controllers.'),
  },
};

/** Returns a reference to one of the schemas of metadata. */
export function metaRef(name: 'DeleteOptions' | 'ListMeta' | 'ObjectMeta' | 'Patch' | 'Status'): JsonObject {
  return { $ref: `${COMPONENTS}${META}.${name}` };
}

/** The schemas that every version refers to. */
export const META_SCHEMAS: { [name: string]: JsonObject } = {
  [`${META}.ObjectMeta`]: {
    type: 'object',
    description: 'The metadata of an object.',
    properties: {
      name: string('The name, unique within the kind. It cannot be changed.'),
      generateName: string('The beginning of a name that the server completes, where no name is given.'),
      uid: string('The id of the object, given by the server.'),
      resourceVersion: string('The revision of the object. A write with another one is a conflict.'),
      generation: {
        type: 'integer',
        format: 'int64',
        description: 'Number of changes of the spec, counted from 1.',
      },
      creationTimestamp: time('The time of the creation.'),
      deletionTimestamp: time('The time of the deletion that waits for finalizers.'),
      labels: strings('Strings to select by.'),
      annotations: strings('Strings of any content.'),
      finalizers: {
        ...list('The object is deleted when the last of them is removed.', { type: 'string', default: '' }),
        'x-kubernetes-list-type': 'set',
      },
      deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Always 0.' },
      ownerReferences: {
        ...list('The objects that this one depends on.', OWNER_REFERENCE),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['uid'],
      },
      managedFields: list('The owners of fields.', { type: 'object' }),
    },
  },
  [`${META}.ListMeta`]: {
    type: 'object',
    description: 'The metadata of a list.',
    properties: {
      resourceVersion: string('The revision that a watch may start from.'),
      continue: string('The token of the next page.'),
      remainingItemCount: { type: 'integer', format: 'int64', description: 'Number of objects to follow.' },
    },
  },
  [`${META}.Status`]: { type: 'object', description: 'The response to a request that returns no object.' },
  [`${META}.DeleteOptions`]: { type: 'object', description: 'The options of a deletion.' },
  [`${META}.Patch`]: { type: 'object', description: 'A patch.' },
};
