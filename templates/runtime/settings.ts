/** One environment variable of the service: how its text is read, what it is without one, what it is for. */
interface Setting<T> {
  read: (text: string) => T | undefined;
  /** What a valid value looks like, for the message that refuses another. */
  expects: string;
  fallback: T;
  description: string;
}

const text = (fallback: string, description: string): Setting<string> => ({
  read: (value) => value,
  expects: 'a text',
  fallback,
  description,
});

const oneOf = <T extends string>(values: readonly T[], fallback: T, description: string): Setting<T> => ({
  read: (value) => values.find((candidate) => candidate === value),
  expects: `one of ${values.join(', ')}`,
  fallback,
  description,
});

const integer = (fallback: number, min: number, max: number, description: string): Setting<number> => ({
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  },
  expects: `an integer from ${min} to ${max}`,
  fallback,
  description,
});

const flag = (fallback: boolean, description: string): Setting<boolean> => ({
  read: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
  expects: 'true or false',
  fallback,
  description,
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MAX = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;

/** Every setting of the service. The README's table is generated from this one. */
export const SETTINGS = {
  HOST: text('0.0.0.0', 'Address to listen on'),
  PORT: integer(8080, 0, 65_535, 'Port to listen on; 0 takes a free one'),
  WORKERS: integer(
    1,
    1,
    1_024,
    'Processes that share the port; more than one pays on PostgreSQL, not on SQLite',
  ),
  DATABASE_URL: text('', 'Where resources live: sqlite:<file>, or postgres://… for more than one machine'),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info', 'Least level that is logged'),
  LOG_REQUESTS: flag(false, 'Log a line for every request'),
  METRICS: flag(true, 'Measure, and answer /metrics'),
  MAX_BODY_BYTES: integer(1_048_576, 1, 1_073_741_824, 'Largest request body, in bytes'),
  MAX_DEPTH: integer(64, 1, 1_000, 'Deepest nesting of a request body'),
  MAX_PATCH_OPERATIONS: integer(1_000, 1, MAX, 'Most operations of one patch'),
  MAX_PATCHED_BYTES: integer(4_194_304, 1, MAX, 'Largest document that a patch may make, in bytes'),
  MAX_PAGE_SIZE: integer(1_000, 1, 1_000_000, 'Most resources of one page of a list'),
  HEADERS_TIMEOUT_MS: integer(
    10_000,
    1,
    DAY_MS,
    'Time for a client to send its request headers, in milliseconds',
  ),
  REQUEST_TIMEOUT_MS: integer(
    30_000,
    1,
    DAY_MS,
    'Time for a client to send its whole request, in milliseconds',
  ),
  STALL_TIMEOUT_MS: integer(
    60_000,
    1,
    DAY_MS,
    'Time after which a connection on which nothing moves is closed, in milliseconds',
  ),
  KEEP_ALIVE_TIMEOUT_MS: integer(5_000, 1, DAY_MS, 'Time an idle connection is kept, in milliseconds'),
  SHUTDOWN_TIMEOUT_MS: integer(
    8_000,
    0,
    DAY_MS,
    'Time for requests under way to finish after SIGTERM, in milliseconds',
  ),
  STORE_BUSY_TIMEOUT_MS: integer(
    5_000,
    0,
    DAY_MS,
    'Time to wait for a database that another process has locked, in milliseconds',
  ),
  EVENTS_KEEP: integer(100_000, 0, MAX, 'Events that are kept'),
  EVENTS_KEEP_DAYS: integer(7, 1, 36_500, 'Days that events are kept'),
  EVENTS_POLL_MS: integer(
    100,
    1,
    DAY_MS,
    'How often events of other processes are looked for, in milliseconds',
  ),
  EVENTS_CONCURRENCY: integer(8, 1, 1_000, 'Events that are delivered to one consumer at the same time'),
  EVENTS_RETRY_MS: integer(
    1_000,
    1,
    DAY_MS,
    'Pause after the first failed delivery, in milliseconds; it doubles with each further one',
  ),
  EVENTS_MAX_RETRY_MS: integer(600_000, 1, DAY_MS, 'Longest pause between deliveries, in milliseconds'),
  EVENTS_MAX_ATTEMPTS: integer(100, 1, MAX, 'Failed deliveries after which an event becomes a dead letter'),
  EVENTS_MAX_AGE_HOURS: integer(
    24,
    0,
    1_000_000,
    'Age from which an event becomes a dead letter when its delivery fails, in hours',
  ),
  EVENTS_LEASE_MS: integer(
    10_000,
    100,
    DAY_MS,
    'Time after which another process delivers in place of one that has died, in milliseconds',
  ),
  EVENTS_MAX_STREAMS: integer(5_000, 0, 1_000_000, 'Most readers of /events at the same time'),
  EVENTS_KEEP_ALIVE_MS: integer(
    15_000,
    1,
    DAY_MS,
    'How often a silent stream of events gets a comment, in milliseconds',
  ),
  EVENTS_SLOW_READER_MS: integer(
    30_000,
    1,
    DAY_MS,
    'Time after which the stream of a reader that takes nothing ends, in milliseconds',
  ),
  DEAD_LETTERS_KEEP: integer(10_000, 0, MAX, 'Dead letters that are kept'),
  WEBHOOK_URLS: text('', 'Where events are sent: URLs, separated by commas'),
  WEBHOOK_FILE: text(
    '',
    'A JSON file of more of them: [{ "url", "name"?, "types"?, "version"?, "secret"? }]',
  ),
  WEBHOOK_SECRET: text(
    '',
    'What signs the messages: whsec_<Base64> or any text; several are separated by commas',
  ),
  WEBHOOK_TIMEOUT_MS: integer(10_000, 1, DAY_MS, 'Time for a webhook to answer, in milliseconds'),
  WEBHOOK_ALLOW_PRIVATE: flag(false, 'Allow webhooks at private and loopback addresses'),
  NATS_URL: text('', 'NATS servers that events are published to, with JetStream'),
  NATS_STREAM: text('svc-events', 'The stream there; it is made where there is none'),
} as const;

/** The settings in force. */
export type Settings = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] };

/**
 * Reads every setting from an environment; an empty variable counts as absent.
 * Throws one Error that names every variable with a wrong value.
 */
export function readSettings(environment: { [name: string]: string | undefined }): Settings {
  const wrong: string[] = [];
  const entries = Object.entries<Setting<string | number | boolean>>(SETTINGS).map(([name, setting]) => {
    const given = environment[name];
    if (given === undefined || given === '') return [name, setting.fallback];
    const value = setting.read(given);
    if (value === undefined) wrong.push(`${name}=${given}: expected ${setting.expects}`);
    return [name, value];
  });
  if (wrong.length > 0) throw new Error(`wrong settings:\n  ${wrong.join('\n  ')}`);
  return Object.fromEntries(entries) as Settings;
}
