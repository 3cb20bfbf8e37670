import { sendJson } from '../../http/responses/respond';
import type { MoreMemory } from '../../memory/memory-budget';
import { hubStateOf } from '../../model/kinds/versioning';
import type { Service } from '../../service/service';
import type { StoredResource } from '../../store/store';
import { refuseConditions, withStored } from '../reads/reading';
import { authoriseWrite } from '../request/access';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { turnOf, untilWritten } from './change';
import { deleteStored } from './deletion';
import { sendWritten, type Written } from './written';

/** DELETE of one resource (endpoint 6), with its snapshots. */
export async function remove(service: Service, context: RequestContext): Promise<void> {
  const version = negotiate(context, undefined);
  const { waiting } = await deleteResource(service, context, version, (stored) =>
    refuseConditions(context, stored, version, service.definition.requireIfMatch),
  );
  if (waiting === undefined) respondDeleted(context, `${context.kind.kind} deleted successfully`);
  else sendWritten(context, { ...waiting, status: 202 });
}

/** Responds to a deletion. */
export function respondDeleted({ req, res, warnings }: RequestContext, message: string): void {
  sendJson(req, res, 200, { message }, warnings);
}

/** Throws HttpProblem where a stored resource is not the one that a client wants to delete. */
export type Precondition = (stored: StoredResource) => void;

/** The result of a deletion. */
export interface Deleted {
  /** The last state of the resource before it. */
  stored: StoredResource;
  /** Set where the deletion waits for finalizers: the resource as it is now. */
  waiting?: Written;
}

/** Deletes the resource that a request names, if the policy and `check` allow it. Throws HttpProblem. */
export function deleteResource(
  service: Service,
  context: RequestContext,
  version: string,
  check: Precondition,
): Promise<Deleted> {
  const since = performance.now();
  const copies = service.lifecycle === undefined ? 1 : COPIES;
  const attempt = async (stored: StoredResource, more: MoreMemory): Promise<Deleted | undefined> => {
    const state = hubStateOf(context.kind, stored);
    await authoriseWrite(context, 'canDelete', state.hub);
    check(stored);
    const deletion = { version, stored, since, more };
    if (service.lifecycle?.holds(state.hub.metadata) !== true)
      return (await deleteStored(service, context, deletion)) === 'done' ? { stored } : undefined;
    const waiting = await service.lifecycle.postpone(context, deletion, state);
    return waiting && { stored, waiting };
  };
  return service.turns.run(turnOf(context), () =>
    untilWritten(context, () => withStored(service, context, copies, attempt)),
  );
}

/** Copies in memory of a resource whose deletion waits: its states before and after, and the text. */
const COPIES = 3;
