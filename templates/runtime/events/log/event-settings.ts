import {
  addSettings,
  flag,
  integer,
  MAX,
  milliseconds,
  oneOf,
  type Setting,
  TEXT,
  type ValuesOf,
} from '../../settings/settings';

/** The content modes of CloudEvents over HTTP. */
export const EVENT_MODES = ['structured', 'binary'] as const;

const NATS_NAME: Setting<string> = {
  read: (value) => (/^[^\s.*>/\\\p{Cc}]{1,255}$/u.test(value) ? value : undefined),
  expects: 'a name of at most 255 characters without spaces, ".", "*", ">", "/" and "\\"',
  fallback: 'svc-events',
};

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
  WEBHOOK_URLS: TEXT,
  WEBHOOK_FILE: TEXT,
  WEBHOOK_SECRET: TEXT,
  WEBHOOK_MODE: oneOf(EVENT_MODES, 'structured'),
  WEBHOOK_TIMEOUT_MS: milliseconds(10_000),
  WEBHOOK_MAX_RESPONSE_BYTES: integer(65_536, 0, MAX),
  WEBHOOK_ALLOW_PRIVATE: flag(false),
  NATS_URL: TEXT,
  NATS_STREAM: NATS_NAME,
} as const;

declare module '../../settings/settings' {
  interface Settings extends ValuesOf<typeof EVENTS> {}
}

addSettings(EVENTS);
