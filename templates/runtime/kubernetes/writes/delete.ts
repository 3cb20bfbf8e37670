import { ListMemory } from '../../api/reads/list-memory';
import { represent } from '../../api/reads/representation';
import { authorise } from '../../api/request/access';
import { hasBody, withBody } from '../../api/request/body';
import { inScope } from '../../api/request/label-scope';
import { deleteResource, type Precondition } from '../../api/writes/delete-resource';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import type { Requirement } from '../../model/selectors/selector';
import type { StoredResource } from '../../store/store';
import type { KubernetesContext } from '../face/face';
import { listScoped } from '../objects/list';
import { continuationOf, selected, selectedFields } from '../objects/list-parameters';
import { nameIn } from '../objects/object';
import { anObject, badRequest, detailsOf } from '../status/problem';
import { sendSuccess } from '../status/status';
import { objectBody } from './object-body';
import { readDryRun } from './options';
import { checkPreconditions } from './preconditions';
import { sendWrittenObject } from './respond';

/** DELETE of an object. It responds with the object where that waits for finalizers. */
export function deleteObject(context: KubernetesContext): Promise<void> {
  return withOptions(context, async (check) => {
    const { stored, waiting } = await deleteResource(context.service, context, context.urlVersion, check);
    if (waiting !== undefined) return sendWrittenObject(context, waiting);
    sendSuccess(context, { ...detailsOf(context.kind, context.uidOrName), uid: stored.uid });
  });
}

/**
 * DELETE of a collection: every object that is selected and that the caller may get, one after the other. One that is selected no
 * more when its turn comes stays. The first one that cannot be deleted ends it.
 */
export function deleteObjects(context: KubernetesContext): Promise<void> {
  return withOptions(context, async (check) => {
    const { service } = context;
    await authorise(context, 'canList');
    const { selection, limit } = selected(context, continuationOf(context).cursor);
    const { query } = selection;
    const isSelected = selects(context, query.selector);
    const memory = new ListMemory(service, context.res);
    try {
      for await (const { rows } of listScoped(context, { ...query, limit }, memory))
        for (const row of rows)
          await deleteOne(context, row, (stored) => {
            if (stored.revision !== row.revision && !isSelected(stored))
              throw new HttpProblem(404, 'the object is no longer selected');
            check(stored);
          });
    } finally {
      memory.release();
    }
    sendSuccess(context, detailsOf(context.kind, ''));
  });
}

/** Returns whether a request selects a resource. */
function selects(context: KubernetesContext, labels: Requirement[]): (stored: StoredResource) => boolean {
  const fields = selectedFields(context);
  const { kind, urlVersion } = context;
  return (stored) => {
    const shown = JSON.parse(represent(kind, stored, urlVersion).text) as Resource;
    return inScope(shown.metadata, labels) && fields?.selects(shown) !== false;
  };
}

/** Deletes an object of a collection, unless it is gone meanwhile, or `check` throws HttpProblem 404. */
async function deleteOne(
  context: KubernetesContext,
  row: StoredResource,
  check: Precondition,
): Promise<void> {
  const { service, urlVersion } = context;
  try {
    await deleteResource(service, { ...context, uidOrName: row.uid }, urlVersion, check);
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) return;
    context.subject.name = nameIn(row.text);
    throw error;
  }
}

/** Calls `action` with the check of the preconditions in the body of a request: DeleteOptions, or none. */
async function withOptions(
  context: KubernetesContext,
  action: (check: Precondition) => Promise<void>,
): Promise<void> {
  const act = (body: Json): Promise<void> => {
    const options = optionsIn(body);
    const preconditions = anObject('preconditions', options['preconditions'] ?? {});
    readDryRun(context, options);
    return action((stored) => checkPreconditions(context, preconditions, stored));
  };
  return hasBody(context.req) ? withBody(context.service, context, objectBody(context), act) : act(null);
}

/** The kind of the body of a DELETE. */
const OPTIONS = 'DeleteOptions';

/** Throws a problem 400 for a body that is no DeleteOptions: its sender may mean conditions that would not be checked. */
function optionsIn(body: Json): JsonObject {
  if (body === null) return {};
  if (!isObject(body) || (body['kind'] ?? OPTIONS) !== OPTIONS)
    throw badRequest(`the body must be ${OPTIONS}`);
  return body;
}
