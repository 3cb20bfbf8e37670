import { mediaType } from '../api/request/body';
import type { Part } from '../model/kinds/versioning';
import { applyObject } from './apply';
import type { KubernetesHandler } from './face/face';
import { listObjects } from './objects/list';
import { getObject } from './objects/send-object';
import { watch } from './watch';
import { asksForWatch } from './watch/watch-parameters';
import { createObject } from './writes/create';
import { deleteObject, deleteObjects } from './writes/delete';
import { APPLY_TYPE } from './writes/object-body';
import { patching, replacing } from './writes/update';

/** The handlers of the objects of a kind, by method. */
export interface Verbs {
  collection: { [method: string]: KubernetesHandler };
  item: { [method: string]: KubernetesHandler };
  status: { [method: string]: KubernetesHandler };
}

/** PATCH of an object or of its status. */
function patch(part: Part): KubernetesHandler {
  const change = patching(part);
  return (context) => (mediaType(context.req) === APPLY_TYPE ? applyObject(context, part) : change(context));
}

/** Every verb of the API for Kubernetes clients. */
export const VERBS: Verbs = {
  collection: {
    GET: (context) => (asksForWatch(context) ? watch(context) : listObjects(context)),
    POST: createObject,
    DELETE: deleteObjects,
  },
  item: { GET: getObject, PUT: replacing('spec'), PATCH: patch('spec'), DELETE: deleteObject },
  status: { GET: getObject, PUT: replacing('status'), PATCH: patch('status') },
};
