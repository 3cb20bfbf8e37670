import type { CoreDefinition } from '../service/core-definition';
import type { Logger } from '../service/logger';
import type { Settings } from '../settings/settings';
import type { CloudEventsSdk, EventMessage } from './log/cloud-event';
import { unmatchedTypes, versionsOf } from './log/known-kinds';
import { type LoggedEvent, matchesType } from './log/logged-event';
import type { ServiceEvents } from './service-events';
import { structuredMessage, Webhook } from './webhooks/webhook';
import { readWebhooks } from './webhooks/webhook-list';

/**
 * Reads the settings of an external destination of events. Returns the function that starts delivery, or undefined
 * where the settings do not ask for it. Throws an Error when they are wrong.
 */
export type EventSink = (settings: Settings, logger: Logger) => ((events: ServiceEvents) => void) | undefined;

/** Options that generated code passes to the feature. */
export interface EventsOptions {
  /** Loads the CloudEvents SDK: only a subscriber and a webhook in binary mode need it. */
  sdk(): Promise<CloudEventsSdk>;
  /** Publishes events to NATS; absent where project.yaml does not ask for it. */
  nats?: EventSink;
  /** Keeps the whole state before each write that may take its resource out of a selection. */
  storesStates?: true;
}

const WITHOUT_NATS =
  'NATS_URL is set, but the service was generated without NATS: ' +
  'write "events: { nats: true }" in project.yaml, run "svcgen generate" and install what it names';

/**
 * Delivers events to every external destination in the settings: webhooks and NATS. The returned function starts the
 * delivery. Throws an Error when the settings are wrong; nothing has been started then.
 */
export function configureSinks(
  { groups }: Pick<CoreDefinition, 'groups'>,
  { sdk, nats }: EventsOptions,
  settings: Settings,
  logger: Logger,
): (events: ServiceEvents) => void {
  const webhooks = readWebhooks(settings, versionsOf(groups));
  const {
    WEBHOOK_TIMEOUT_MS: timeoutMs,
    WEBHOOK_MAX_RESPONSE_BYTES: maxResponseBytes,
    WEBHOOK_ALLOW_PRIVATE: allowPrivate,
  } = settings;
  if (nats === undefined && settings.NATS_URL !== '') throw new Error(WITHOUT_NATS);
  const startNats = nats?.(settings, logger);
  const binaryMessage = async (event: LoggedEvent): Promise<EventMessage> =>
    (await sdk()).binaryMessage(event.parse());
  return (events) => {
    for (const { name, url, types, version, secrets, mode } of webhooks) {
      const message = mode === 'binary' ? binaryMessage : structuredMessage;
      const webhook = new Webhook({ url, secrets, message, timeoutMs, maxResponseBytes, allowPrivate });
      events.consume({
        name: `webhook:${name}`,
        from: 'now',
        version,
        matches: ({ type }) => types.some((pattern) => matchesType(type, pattern)),
        deliver: (event, signal) => webhook.deliver(event, signal),
        close: () => webhook.close(),
      });
      logger.info({ webhook: name, host: url.host }, 'events are sent');
      // Several services may share the file, so this is no mistake for certain.
      const unmatched = unmatchedTypes(groups, types);
      if (unmatched.length > 0)
        logger.warn({ webhook: name, types: unmatched }, 'no event of this service has these types');
    }
    startNats?.(events);
  };
}
