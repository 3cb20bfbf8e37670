import type { ServiceDefinition } from '../kind';
import type { Logger } from '../logger';
import type { Settings } from '../settings';
import { KnownKinds } from './known-kinds';
import { matchesType } from './logged-event';
import { NatsSink } from './nats-sink';
import type { ServiceEvents } from './service-events';
import { Webhook } from './webhook';
import { readWebhooks } from './webhook-list';

/**
 * Delivers events to everything outside that the settings name: webhooks and NATS. What is returned starts it.
 * Throws an Error when the settings are wrong; nothing has been started then.
 */
export function configureSinks(
  { groups }: Pick<ServiceDefinition, 'groups'>,
  settings: Settings,
  logger: Logger,
): (events: ServiceEvents) => void {
  const webhooks = readWebhooks(settings, new KnownKinds(groups).versions);
  const {
    NATS_URL,
    NATS_STREAM,
    WEBHOOK_TIMEOUT_MS: timeoutMs,
    WEBHOOK_ALLOW_PRIVATE: allowPrivate,
  } = settings;
  const nats = NATS_URL === '' ? undefined : new NatsSink({ url: NATS_URL, stream: NATS_STREAM });
  return (events) => {
    for (const { name, url, types, version, secrets } of webhooks) {
      const webhook = new Webhook({ url, secrets, timeoutMs, allowPrivate });
      events.consume({
        name: `webhook:${name}`,
        from: 'now',
        version,
        matches: ({ type }) => types.some((pattern) => matchesType(type, pattern)),
        deliver: (event, signal) => webhook.deliver(event, signal),
        close: () => webhook.close(),
      });
      logger.info({ webhook: name, host: url.host }, 'events are sent');
    }
    if (nats === undefined) return;
    events.consume({
      name: 'nats',
      from: 'now',
      matches: () => true,
      deliver: (event) => nats.deliver(event),
      close: () => nats.close(),
    });
    logger.info({ stream: NATS_STREAM }, 'events are sent to NATS');
  };
}
