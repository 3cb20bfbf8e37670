import './log/event-settings';
import { pageOf, readPages } from '../http/responses/page';
import type { Change, Feature } from '../service/feature';
import { resendDeadLetters } from './endpoints/dead-letter-resend';
import { deadLetters } from './endpoints/dead-letters';
import { eventStream } from './endpoints/event-stream';
import { newEvent } from './log/logged-event';
import { ServiceEvents } from './service-events';
import { configureSinks, type EventsOptions } from './sinks';

declare module '../service/service' {
  interface Additions {
    /** Changes of resources, to subscribe to. */
    events: ServiceEvents;
  }
}

/** Publishes every change of a resource as a CloudEvent: to subscribers, controllers, streams, webhooks and NATS. */
export function events(options: EventsOptions): Feature {
  return (definition, settings, logger) => {
    const startSinks = configureSinks(definition, options, settings, logger);
    return (service) => {
      const running = new ServiceEvents(service, options.sdk);
      startSinks(running);
      return {
        adds: { events: running },
        eventOf: (change: Change) => newEvent(service, change, options.storesStates),
        pages: (kinds) => ({
          ...readPages({
            '/events': eventStream(service, kinds),
            '/events/dead-letters': deadLetters(service, kinds),
          }),
          '/events/dead-letters/resend': pageOf('POST', resendDeadLetters(service, kinds)),
        }),
        links: { events: '/events' },
        lags: () => running.lags(),
        stop: () => running.stop(),
        close: () => running.close(),
      };
    };
  };
}
