import {
  addSettings,
  DAY_MS,
  flag,
  integer,
  MAX,
  milliseconds,
  oneOf,
  type Setting,
  text,
  type ValuesOf,
} from '../../settings/settings';

const pattern = (form: RegExp, expects: string, fallback: string, description: string): Setting<string> => ({
  read: (value) => (form.test(value) ? value : undefined),
  expects,
  fallback,
  description,
});

/** The content modes of CloudEvents over HTTP. */
export const EVENT_MODES = ['structured', 'binary'] as const;

const EVENTS = {
  EVENTS_KEEP: integer(100_000, 0, MAX, 'Number of events to retain'),
  EVENTS_KEEP_DAYS: integer(7, 1, 36_500, 'Days to retain events'),
  EVENTS_POLL_MS: milliseconds(100, 'Interval for polling events of other processes'),
  EVENTS_CONCURRENCY: integer(8, 1, 1_000, 'Maximum number of concurrent deliveries to a consumer'),
  EVENTS_RETRY_MS: integer(
    1_000,
    1,
    DAY_MS,
    'Pause after the first failed delivery, in milliseconds; doubles with each further failure',
  ),
  EVENTS_MAX_RETRY_MS: milliseconds(600_000, 'Maximum pause between deliveries'),
  EVENTS_MAX_ATTEMPTS: integer(
    100,
    1,
    MAX,
    'Number of failed deliveries after which an event becomes a dead letter',
  ),
  EVENTS_MAX_AGE_HOURS: integer(
    24,
    0,
    1_000_000,
    'Age after which a failed delivery makes an event a dead letter, in hours',
  ),
  EVENTS_LEASE_MS: milliseconds(
    10_000,
    'Time after which another process takes over deliveries from a dead one',
    100,
  ),
  EVENTS_MAX_STREAMS: integer(5_000, 0, 1_000_000, 'Maximum number of concurrent readers of /events'),
  EVENTS_KEEP_ALIVE_MS: milliseconds(15_000, 'Interval between comments on a silent event stream'),
  EVENTS_SLOW_READER_MS: milliseconds(
    30_000,
    'Time after which the stream of a reader that reads nothing ends',
  ),
  EVENTS_MAX_STREAM_MS: milliseconds(
    3_600_000,
    'Time after which an event stream ends, so that its reader is authorised again',
  ),
  DEAD_LETTERS_KEEP: integer(10_000, 0, MAX, 'Number of dead letters to retain'),
  WEBHOOK_URLS: text('', 'URLs that receive events, separated by commas'),
  WEBHOOK_FILE: text(
    '',
    'JSON file with more webhooks: [{ "url", "name"?, "types"?, "version"?, "secret"?, "mode"? }]',
  ),
  WEBHOOK_SECRET: text(
    '',
    'Secret that signs messages: whsec_<Base64> or any string; separate several by commas',
  ),
  WEBHOOK_MODE: oneOf(
    EVENT_MODES,
    'structured',
    'Content mode of messages: structured puts the whole event into the body, binary its attributes into headers',
  ),
  WEBHOOK_TIMEOUT_MS: milliseconds(10_000, 'Time limit for a webhook to respond'),
  WEBHOOK_MAX_RESPONSE_BYTES: integer(
    65_536,
    0,
    MAX,
    "Maximum number of bytes to read of a webhook's response; the connection is closed beyond",
  ),
  WEBHOOK_ALLOW_PRIVATE: flag(false, 'Allow webhooks at private and loopback addresses'),
  NATS_URL: text('', 'NATS servers to publish events to, with JetStream'),
  NATS_STREAM: pattern(
    /^[^\s.*>/\\\p{Cc}]{1,255}$/u,
    'a name of at most 255 characters without spaces, ".", "*", ">", "/" and "\\"',
    'svc-events',
    'Name of the JetStream stream; created if missing',
  ),
} as const;

declare module '../../settings/settings' {
  interface Settings extends ValuesOf<typeof EVENTS> {}
}

addSettings(EVENTS);
