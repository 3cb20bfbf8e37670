import type { ResourceEvent, StoredResourceEvent } from './cloud-event';

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
