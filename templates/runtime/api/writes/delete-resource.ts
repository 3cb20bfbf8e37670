import { evaluateConditions, refuseUnmet } from '../../http/headers/conditional';
import { sendJson } from '../../http/responses/respond';
import { collectionOf } from '../../model/kinds/kind';
import { type HubState, hubStateOf } from '../../model/kinds/versioning';
import type { Service } from '../../service/service';
import type { StoredResource } from '../../store/store';
import { conditionState, withStored } from '../reads/reading';
import { authorise } from '../request/access';
import { waitingMetadata } from '../request/metadata';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { MAX_ATTEMPTS, tooManyWrites, turnOf } from './change';
import { deleteStored, type Deletion } from './deletion';
import { writeOrJudge } from './dry-run';
import { newStateOf } from './new-state';
import { sendWritten, unwrittenResponse, type Written, writtenResponse } from './written';

/** DELETE of one resource (endpoint 6), with its snapshots. */
export async function remove(service: Service, context: RequestContext): Promise<void> {
  const { waiting } = await deleteResource(
    service,
    context,
    negotiate(context, undefined),
    (stored, version) => {
      const state = conditionState(context, stored, version);
      refuseUnmet(evaluateConditions(context.req, state, service.definition.requireIfMatch));
    },
  );
  if (waiting === undefined) respondDeleted(context, `${context.kind.kind} deleted successfully`);
  else sendWritten(context, { ...waiting, status: 202 });
}

/** Responds to a deletion. */
export function respondDeleted({ req, res, warnings }: RequestContext, message: string): void {
  sendJson(req, res, 200, { message }, warnings);
}

/** Throws HttpProblem where a stored resource is not the one that a client wants to delete. */
type Precondition = (stored: StoredResource, version: string) => void;

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
  return service.turns.run(turnOf(context), () => deleteInTurn(service, context, { version, check, since }));
}

async function deleteInTurn(
  service: Service,
  context: RequestContext,
  { version, check, since }: { version: string; check: Precondition; since: number },
): Promise<Deleted> {
  const copies = service.lifecycle === undefined ? 1 : COPIES;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const deleted = await withStored(
      service,
      context,
      copies,
      async (stored, more): Promise<Deleted | undefined> => {
        const state = hubStateOf(context.kind, stored);
        const { metadata } = state.hub;
        await authorise(context, 'canDelete', state.hub);
        check(stored, version);
        const deletion = { version, stored, since, more };
        if (service.lifecycle?.holds(metadata) !== true)
          return (await deleteStored(service, context, deletion)) === 'done' ? { stored } : undefined;
        const isKnown = metadata.deletionTimestamp !== undefined;
        const waiting = isKnown
          ? unwrittenResponse(context, stored, version)
          : await beginDeletion(service, context, deletion, state);
        return waiting && { stored, waiting };
      },
    );
    if (deleted !== undefined) return deleted;
  }
  throw tooManyWrites();
}

/** Copies in memory of a resource whose deletion waits: its states before and after, and the text. */
const COPIES = 3;

/**
 * Notes with a resource that it is to be deleted once its finalizers are removed. What would forbid that now is refused at once.
 * Returns undefined where others have written meanwhile. Throws HttpProblem 409.
 */
async function beginDeletion(
  service: Service,
  context: RequestContext,
  deletion: Deletion,
  before: HubState,
): Promise<Written | undefined> {
  if ((await deleteStored(service, { ...context, dryRun: true }, deletion)) !== 'done') return undefined;
  const { kind } = context;
  const { version, stored, since } = deletion;
  const { hub } = before;
  const next = { ...hub, metadata: waitingMetadata(hub, service.now()), status: { ...hub.status } };
  const row = newStateOf(service, context, next, {
    ...{ cause: 'updated', hasSnapshot: false, preserved: before.preserved, stored },
    ...{ version: kind.storageVersion, before: hub, stateBefore: before },
  });
  const response = writtenResponse(context, 200, row, version);
  const { id, revision } = stored;
  const write = { action: 'update', kind: collectionOf(kind), id, revision, ...row } as const;
  const result = await writeOrJudge(service, context, write, since);
  return result === 'done' ? { before: stored, ...response } : undefined;
}
