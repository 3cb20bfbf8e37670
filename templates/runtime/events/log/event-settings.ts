import {
  addSettings,
  flag,
  integer,
  MAX,
  milliseconds,
  oneOf,
  type Setting,
  text,
  type ValuesOf,
} from '../../settings/settings';

const pattern = (form: RegExp, expects: string, fallback: string): Setting<string> => ({
  read: (value) => (form.test(value) ? value : undefined),
  expects,
  fallback,
});

/** The content modes of CloudEvents over HTTP. */
export const EVENT_MODES = ['structured', 'binary'] as const;

const EVENTS = {
  EVENTS_KEEP: integer(100_000, 0, MAX),
  EVENTS_KEEP_DAYS: integer(7, 1, 36_500),
  EVENTS_POLL_MS: milliseconds(100),
  EVENTS_CONCURRENCY: integer(8, 1, 1_000),
  EVENTS_RETRY_MS: milliseconds(1_000),
  EVENTS_MAX_RETRY_MS: milliseconds(600_000),
  EVENTS_MAX_ATTEMPTS: integer(100, 1, MAX),
  EVENTS_MAX_AGE_HOURS: integer(24, 0, 1_000_000),
  EVENTS_LEASE_MS: milliseconds(10_000, 100),
  EVENTS_MAX_STREAMS: integer(5_000, 0, 1_000_000),
  EVENTS_KEEP_ALIVE_MS: milliseconds(15_000),
  EVENTS_SLOW_READER_MS: milliseconds(30_000),
  EVENTS_MAX_STREAM_MS: milliseconds(3_600_000),
  DEAD_LETTERS_KEEP: integer(10_000, 0, MAX),
  WEBHOOK_URLS: text(''),
  WEBHOOK_FILE: text(''),
  WEBHOOK_SECRET: text(''),
  WEBHOOK_MODE: oneOf(EVENT_MODES, 'structured'),
  WEBHOOK_TIMEOUT_MS: milliseconds(10_000),
  WEBHOOK_MAX_RESPONSE_BYTES: integer(65_536, 0, MAX),
  WEBHOOK_ALLOW_PRIVATE: flag(false),
  NATS_URL: text(''),
  NATS_STREAM: pattern(
    /^[^\s.*>/\\\p{Cc}]{1,255}$/u,
    'a name of at most 255 characters without spaces, ".", "*", ">", "/" and "\\"',
    'svc-events',
  ),
} as const;

declare module '../../settings/settings' {
  interface Settings extends ValuesOf<typeof EVENTS> {}
}

addSettings(EVENTS);
