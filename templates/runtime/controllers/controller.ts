import { listRows } from '../api/reads/list-rows';
import { readerOf } from '../api/reads/reader';
import { hubOf } from '../api/reads/representation';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import type { ResourceReader } from '../model/kinds/reader';
import type { Resource } from '../model/resource';
import type { JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { writeStatus } from './status-writer';
import { WorkQueue, type WorkQueueOptions } from './work-queue';

/** The context of a reconciliation. Its reader shows all resources, in the storage version. */
export interface Reconciliation<R extends { status?: object }> extends ResourceReader {
  uid: string;
  /** Undefined when the resource has been deleted. */
  resource: R | undefined;
  /**
   * Changes these fields of the status and leaves the others; undefined removes a field. An update without effect is
   * not written. Throws HttpProblem 400 for fields that break a rule.
   */
  updateStatus(fields: Partial<NonNullable<R['status']>>): Promise<void>;
}

/**
 * Brings the world in line with a resource, and its status in line with the world. It may be called at any time and any
 * number of times, but never concurrently for one resource. If it throws, it is called again after a pause; if it
 * returns `{ again }`, after so many milliseconds.
 */
export type Reconcile<R extends { status?: object }> = (
  context: Reconciliation<R>,
) => void | { again: number } | Promise<void | { again: number }>;

/** A running controller, until it is closed or the service stops. */
export interface Controller {
  /** Resolves when the reconciliations under way have ended. */
  close(): Promise<void>;
}

/** Options of a controller. */
export interface ControllerOptions extends Partial<WorkQueueOptions> {
  /**
   * Interval of reconciliations of every resource, in milliseconds; by default they happen only at the start and after
   * changes.
   */
  resyncMs?: number;
}

/**
 * Runs a controller of one kind: it reconciles every resource at the start, and each again after every change of it.
 * Throws an Error where events are off.
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
  const reader = readerOf(service, { group: kind.group, version: kind.storageVersion, scope: [] });
  const queue = new WorkQueue(work, { onError, ...options });

  async function work(uid: string): Promise<void> {
    const stored = await service.store.get(collection, uid);
    const updateStatus = async (fields: object): Promise<void> => {
      await writeStatus(service, kind, uid, ({ status }) => merged(status ?? {}, fields));
    };
    const resource = stored && (hubOf(kind, stored) as unknown as R);
    const result = await reconcile({ uid, resource, updateStatus, ...reader });
    // JavaScript may return anything: NaN or a negative time would come at once, again and again.
    const again: unknown = result?.again;
    if (typeof again === 'number' && again >= 0) queue.addAfter(uid, again);
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
    // Not before: a change during the read of the list then arrives as an event.
    onBegin: resyncSoon,
    onGap: resyncSoon,
    async close() {
      await resyncs.close();
      await queue.close();
    },
  });
}

function merged(status: JsonObject, fields: object): JsonObject {
  const all = { ...status, ...fields };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
