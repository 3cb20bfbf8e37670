import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { traceparentOf } from '../../http/headers/trace-context';
import { actorOf } from '../../http/security/actor';
import type { Resource } from '../../model/resource';
import type { NewEvent } from '../../store/store';

/** The changes of a resource that events are about. PUT, PATCH and status writes are all `updated`. */
export const ACTIONS = ['created', 'updated', 'deleted'] as const;

/** A change of a resource. */
type Action = (typeof ACTIONS)[number];

/** The kind of a write, for consumers of events: a write of the status differs from one of the spec. */
export type Cause = Action | 'status';

/** The data of an event. */
export interface ResourceEventData<R = Resource> {
  action: Action;
  resourceKind: string;
  resourceUID: string;
  resourceName: string;
  /** The caller who wrote, if middleware has set one. */
  actor?: string;
  /** The resource after the write; for `deleted` its last state. */
  resource: R;
  metadata: {
    updatedAt: string;
    /** Present only where the write came through a status endpoint. */
    updateType?: 'status';
  };
}

/**
 * An event as subscribers see it: CloudEvents 1.0 (specification, "Events"). In a project with events it is a
 * `CloudEvent` of the SDK: `cloudevents/sdk.ts` adds the members of that class.
 */
export interface ResourceEvent<R = Resource> {
  specversion: '1.0';
  /** `io.svc.<kind-lowercase>.<action>` */
  type: string;
  /** `svc-api/resources/<Kind>/<uid>` */
  source: string;
  /** The same for every subscriber and in every redelivery. */
  id: string;
  /** RFC 3339 */
  time: string;
  datacontenttype: 'application/json';
  /** The trace of the request that wrote (CloudEvents, "Distributed Tracing"); absent if it came without one. */
  traceparent?: string;
  /**
   * Present in a stream of events alone: the write took the resource out of what the client selects by labels or fields, and
   * no more is sent about it.
   */
  selection?: 'left';
  data: ResourceEventData<R>;
}

/** The attributes and the data of an event: the members of the JSON text that is stored and sent. */
export type StoredResourceEvent = Pick<
  ResourceEvent,
  'specversion' | 'type' | 'source' | 'id' | 'time' | 'datacontenttype' | 'traceparent' | 'data'
>;

/** Returns the type of an event, such as `io.svc.device.created`. */
export function typeOf(kind: string, action: Action): string {
  return `io.svc.${kind.toLowerCase()}.${action}`;
}

/** Returns the source of the events of a resource. */
export function sourceOf(kind: string, uid: string): string {
  return `svc-api/resources/${kind}/${uid}`;
}

/** The data of the writing request that its events carry: its trace, a valid `traceparent`, and its actor. */
interface Origin {
  traceparent?: string;
  actor?: string;
}

/** Returns the origin that the events of a request carry. */
export function originOf(req: IncomingMessage): Origin {
  return { traceparent: traceparentOf(req), actor: actorOf(req) };
}

/**
 * Returns the header of a request that is made on behalf of another: its trace, and a new span id each time (W3C Trace
 * Context, section 3.4). Without a trace there is no header.
 */
export function traceHeader(traceparent: string | undefined): { traceparent?: string } {
  if (traceparent === undefined) return {};
  const [version, traceId, , flags] = traceparent.split('-');
  return { traceparent: [version, traceId, randomBytes(8).toString('hex'), flags].join('-') };
}

/**
 * Makes the event of a write. `text` is the resource as JSON text in the storage version; it is embedded unchanged, so
 * that a write does not pay for a second serialisation. `time` is in milliseconds since 1970.
 */
export function eventOf(
  cause: Cause,
  resource: Resource,
  text: string,
  time: number,
  { traceparent, actor }: Origin = {},
): Omit<NewEvent, 'kept'> {
  const { kind, metadata } = resource;
  const { uid, name, updatedAt } = metadata;
  const action: Action = cause === 'status' ? 'updated' : cause;
  const type = typeOf(kind, action);
  const id = randomUUID();
  const updateType = cause === 'status' ? ',"updateType":"status"' : '';
  const trace = traceparent === undefined ? '' : `"traceparent":"${traceparent}",`;
  const by = actor === undefined ? '' : `"actor":${JSON.stringify(actor)},`;
  // Kinds, uids, times and traces are ASCII without quotes; a name and an actor may be any string.
  return {
    id,
    type,
    text:
      `{"specversion":"1.0","type":"${type}","source":"${sourceOf(kind, uid)}","id":"${id}",` +
      `"time":"${new Date(time).toISOString()}","datacontenttype":"application/json",${trace}` +
      `"data":{"action":"${action}","resourceKind":"${kind}","resourceUID":"${uid}",` +
      `"resourceName":${JSON.stringify(name)},${by}"resource":${text},` +
      `"metadata":{"updatedAt":"${updatedAt}"${updateType}}}}`,
  };
}

/** A request with an event: its headers, and its body. */
export interface EventMessage {
  headers: { [name: string]: string };
  body: string;
}

/**
 * The part of the CloudEvents SDK that delivers events: `cloudevents/sdk.ts`. Generated code passes it in, so that only
 * a service with events needs the package.
 */
export interface CloudEventsSdk {
  /** Returns an event as a `CloudEvent`. */
  cloudEventOf(event: StoredResourceEvent): ResourceEvent;
  /** Returns the message with an event in binary mode: its attributes in headers, its data in the body. */
  binaryMessage(event: StoredResourceEvent): EventMessage;
}
