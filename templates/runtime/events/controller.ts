import { collectionOf, type KindDefinition } from '../kind';
import { listRows } from '../list-rows';
import { hubOf } from '../representation';
import type { Resource } from '../resource';
import type { JsonObject } from '../schema';
import type { Service } from '../service';
import { writeStatus } from './status-writer';
import { WorkQueue, type WorkQueueOptions } from './work-queue';

/** What a reconciliation works with. */
export interface Reconciliation<R extends { status?: object }> {
  uid: string;
  /** Undefined when it has been deleted. */
  resource: R | undefined;
  /**
   * Changes these fields of the status and keeps the others; undefined removes a field. What changes nothing is
   * not written. Throws HttpProblem 400 for fields that break a rule.
   */
  updateStatus(fields: Partial<NonNullable<R['status']>>): Promise<void>;
}

/**
 * Brings the world in line with a resource, and its status in line with the world. It may be called at any time
 * and as often as you like, never twice at once for one resource. What it throws has it called again after a
 * pause; `{ again }` after so many milliseconds.
 */
export type Reconcile<R extends { status?: object }> = (
  context: Reconciliation<R>,
) => void | { again: number } | Promise<void | { again: number }>;

/** A controller that runs, until it is closed or the service stops. */
export interface Controller {
  /** Resolves when the reconciliations under way have ended. */
  close(): Promise<void>;
}

/** How a controller works. */
export interface ControllerOptions extends Partial<WorkQueueOptions> {
  /**
   * Reconciles every resource again so often, in milliseconds; without it only at the start and after changes.
   */
  resyncMs?: number;
}

/**
 * Runs a controller of one kind: it reconciles every resource at the start, and each again after every change of
 * it. Throws an Error where events are off.
 */
export function startController<R extends { status?: object } = Resource>(
  service: Service,
  kind: KindDefinition,
  reconcile: Reconcile<R>,
  { resyncMs, ...options }: ControllerOptions = {},
): Controller {
  const collection = collectionOf(kind);
  const logger = service.logger.child({ controller: kind.kind });
  const onError = (err: unknown, uid: string, failures: number): void =>
    logger.warn({ err, uid, failures }, 'not reconciled');
  const queue = new WorkQueue(work, { onError, ...options });

  async function work(uid: string): Promise<void> {
    const stored = await service.store.get(collection, uid);
    const updateStatus = async (fields: object): Promise<void> => {
      await writeStatus(service, kind, uid, ({ status }) => merged(status ?? {}, fields));
    };
    const resource = stored && (hubOf(kind, stored) as unknown as R);
    const result = await reconcile({ uid, resource, updateStatus });
    if (typeof result === 'object') queue.addAfter(uid, result.again);
  }

  async function resync(): Promise<void> {
    for await (const rows of listRows(service.store, collection, {
      after: 0,
      limit: Infinity,
      selector: [],
    })) {
      for (const { uid } of rows) queue.add(uid);
    }
    if (resyncMs !== undefined) resyncs.addAfter('all', resyncMs);
  }

  const resyncs = new WorkQueue(resync, {
    ...options,
    concurrency: 1,
    onError: (err) => logger.warn({ err }, 'the resources cannot be listed'),
  });
  const resyncSoon = (): void => resyncs.add('all');
  return service.events.consume({
    name: undefined,
    title: `controller:${kind.kind}`,
    from: 'now',
    matches: (event) => event.kind === collection,
    deliver: ({ uid }) => queue.add(uid),
    // Not before: what changes while the list is read comes as an event then.
    onBegin: resyncSoon,
    onGap: resyncSoon,
    async close() {
      await resyncs.close();
      await queue.close();
    },
  });
}

function merged(status: JsonObject, fields: object): JsonObject {
  const entries = Object.entries({ ...status, ...fields }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}
