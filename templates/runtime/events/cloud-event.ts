import { randomUUID } from 'node:crypto';
import type { Resource } from '../resource';
import type { JsonObject } from '../schema';
import type { NewEvent } from '../store/store';

/** What happened to a resource. PUT, PATCH and status writes are all `updated`. */
export type Action = 'created' | 'updated' | 'deleted';

/** What a write is to those who are told of it; for them a write of the status differs from one of the spec. */
export type Cause = Action | 'status';

/** An event as subscribers see it: CloudEvents 1.0 (requirement, "Events"). */
export interface ResourceEvent<R = Resource<JsonObject, JsonObject>> {
  specversion: '1.0';
  /** `io.svc.<kind-lowercase>.<action>` */
  type: string;
  /** `svc-api/resources/<Kind>/<uid>` */
  source: string;
  /** The same at every subscriber and in every repetition. */
  id: string;
  /** RFC 3339 */
  time: string;
  datacontenttype: 'application/json';
  /** The trace of the request that wrote (CloudEvents, "Distributed Tracing"); only where it came with one. */
  traceparent?: string;
  data: {
    action: Action;
    resourceKind: string;
    resourceUID: string;
    resourceName: string;
    /** The resource after the write; for `deleted` its last state. */
    resource: R;
    metadata: {
      updatedAt: string;
      /** Only where the write came through a status endpoint. */
      updateType?: 'status';
    };
  };
}

/**
 * The event of a write. `text` is the resource as JSON text in the storage version, taken over as it is, so that
 * a write does not pay for a second serialisation. `time` is in milliseconds since 1970; `traceparent` is a valid
 * one.
 */
export function eventOf(
  cause: Cause,
  resource: Resource,
  text: string,
  time: number,
  traceparent?: string,
): Omit<NewEvent, 'kept'> {
  const { kind, metadata } = resource;
  const { uid, name, updatedAt } = metadata;
  const action: Action = cause === 'status' ? 'updated' : cause;
  const type = `io.svc.${kind.toLowerCase()}.${action}`;
  const id = randomUUID();
  const updateType = cause === 'status' ? ',"updateType":"status"' : '';
  const trace = traceparent === undefined ? '' : `"traceparent":"${traceparent}",`;
  // Kinds, uids, times and traces are ASCII without quotes; a name may be anything.
  return {
    id,
    type,
    text:
      `{"specversion":"1.0","type":"${type}","source":"svc-api/resources/${kind}/${uid}","id":"${id}",` +
      `"time":"${new Date(time).toISOString()}","datacontenttype":"application/json",${trace}` +
      `"data":{"action":"${action}","resourceKind":"${kind}","resourceUID":"${uid}",` +
      `"resourceName":${JSON.stringify(name)},"resource":${text},` +
      `"metadata":{"updatedAt":"${updatedAt}"${updateType}}}}`,
  };
}
