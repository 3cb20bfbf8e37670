import { CloudEvent, HTTP } from 'cloudevents';
import type { EventMessage, ResourceEvent, StoredResourceEvent } from '../events/log/cloud-event';

// The only module that imports the SDK. A project without events has neither.

declare module '../events/log/cloud-event' {
  interface ResourceEvent<R> extends CloudEvent<ResourceEventData<R>> {}
}

/** Returns an event as a `CloudEvent`. It is not validated: what is stored must be delivered. */
export function cloudEventOf(event: StoredResourceEvent): ResourceEvent {
  return new CloudEvent(event, false) as ResourceEvent;
}

/** Returns the message with an event in binary mode: its attributes in headers, its data in the body. */
export function binaryMessage(event: StoredResourceEvent): EventMessage {
  return HTTP.binary(cloudEventOf(event)) as EventMessage;
}

/** Returns the event in a message, in structured or binary mode. Throws an Error for a message without a valid one. */
export function eventIn(message: EventMessage): CloudEvent<unknown> {
  const event = HTTP.toEvent<unknown>(message);
  if (!(event instanceof CloudEvent)) throw new Error('a batch of events');
  if (!event.validate()) throw new Error(`specversion ${event.specversion}`);
  return event;
}
