/** An event of a resource (CloudEvents 1.0). It may come twice; its `id` is then the same. */
export interface ResourceEvent<Kind extends string, R> {
  specversion: '1.0';
  /** `io.svc.<kind-lowercase>.<action>` */
  type: string;
  /** `svc-api/resources/<Kind>/<uid>` */
  source: string;
  id: string;
  /** RFC 3339 */
  time: string;
  datacontenttype: 'application/json';
  /** The trace of the request that wrote, if it came with one (CloudEvents, "Distributed Tracing"). */
  traceparent?: string;
  /** Set where the write took the resource out of the selection of a stream by fields. */
  selection?: 'left';
  data: EventData<Kind, R>;
}

/** Data of an event; `resourceKind` determines the type of `resource`. */
export interface EventData<Kind extends string, R> {
  action: 'created' | 'updated' | 'deleted';
  resourceKind: Kind;
  resourceUID: string;
  resourceName: string;
  /** The caller who wrote, if the service knows. */
  actor?: string;
  /** The resource after the write; for `deleted` its last state. */
  resource: R;
  metadata: {
    updatedAt: string;
    /** Present only for a write of the status alone. */
    updateType?: 'status';
  };
}
