/** An environment variable: parser, default, description. */
interface Setting<T> {
  read: (text: string) => T | undefined;
  /** The expected format, for the message about an invalid value. */
  expects: string;
  fallback: T;
  description: string;
}

const DAY_MS = 86_400_000;

const text = (fallback: string, description: string): Setting<string> => ({
  read: (value) => value,
  expects: 'a string',
  fallback,
  description,
});

const pattern = (form: RegExp, expects: string, fallback: string, description: string): Setting<string> => ({
  read: (value) => (form.test(value) ? value : undefined),
  expects,
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

/** A time of at most a day. */
const milliseconds = (fallback: number, description: string, min = 1): Setting<number> =>
  integer(fallback, min, DAY_MS, `${description}, in milliseconds`);

const flag = (fallback: boolean, description: string): Setting<boolean> => ({
  read: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
  expects: 'true or false',
  fallback,
  description,
});

const list = (item: RegExp, expects: string, description: string): Setting<readonly string[]> => ({
  read: (value) => {
    const items = value.split(',').map((text) => text.trim().toLowerCase());
    return items.every((text) => item.test(text)) ? items : undefined;
  },
  expects,
  fallback: [],
  description,
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** The content modes of CloudEvents over HTTP. */
export const EVENT_MODES = ['structured', 'binary'] as const;
/** The largest number of 15 digits: a time of today can be added to it. */
const MAX = 999_999_999_999_999;

/** Every setting of the service. The table in docs/operations.md is generated from this one. */
export const SETTINGS = {
  HOST: text('', 'IP address to listen on; empty means all, IPv6 and IPv4'),
  PORT: integer(8080, 0, 65_535, 'Port to listen on; 0 means any free port'),
  TLS_CERT: text(
    '',
    'File with the certificate of the port, in PEM form, with TLS_KEY: the port then speaks https only',
  ),
  TLS_KEY: text('', 'File with the private key of the certificate'),
  ALLOWED_HOSTS: list(
    /^\.?[\w-]+(?:\.[\w-]+)*$/,
    'host names without ports, separated by commas',
    'Host names of the service, separated by commas; .example.com includes all its subdomains. Empty allows all; IP addresses and localhost are always allowed',
  ),
  TRUSTED_ORIGINS: list(
    /^(?:https?:\/\/[^/?#@\s]+|\*)$/,
    'origins such as https://app.example.com, separated by commas, or *',
    'Other origins whose pages may write, separated by commas, such as https://app.example.com; * allows all',
  ),
  WORKERS: integer(
    1,
    1,
    1_024,
    'Number of processes that share the port; more than one helps with PostgreSQL, not with SQLite',
  ),
  DATABASE_URL: text(
    '',
    'Database: sqlite:<file>, or postgres://… for more than one machine; a primary and its standbys: postgres://user@a,b/name',
  ),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info', 'Lowest level to log'),
  LOG_REQUESTS: flag(false, 'Log every request'),
  METRICS: flag(true, 'Collect metrics and serve /metrics'),
  MAX_BODY_BYTES: integer(1_048_576, 1, 1_073_741_824, 'Maximum size of a request body, in bytes'),
  MAX_DEPTH: integer(64, 1, 1_000, 'Maximum nesting depth of a request body'),
  MAX_PATCH_OPERATIONS: integer(1_000, 1, MAX, 'Maximum number of operations in a patch'),
  MAX_PATCHED_BYTES: integer(4_194_304, 1, MAX, 'Maximum size of a patched document, in bytes'),
  MAX_PATTERN_STEPS: integer(
    50_000_000,
    1,
    MAX,
    'Maximum number of pattern-matching steps in one validation; the default takes about half a second',
  ),
  MAX_PAGE_SIZE: integer(1_000, 1, 1_000_000, 'Maximum number of resources on a page of a list'),
  MAX_HEADERS: integer(2_000, 1, 1_000_000, 'Maximum number of headers of a request'),
  MAX_HEADER_BYTES: integer(
    16_384,
    1_024,
    1_048_576,
    'Maximum size of the request line and headers, in bytes',
  ),
  MAX_CONNECTIONS: integer(
    10_000,
    1,
    1_000_000,
    'Maximum number of open connections of a process; further ones are closed at once',
  ),
  HEADERS_TIMEOUT_MS: milliseconds(10_000, 'Time limit for receiving the request headers'),
  REQUEST_TIMEOUT_MS: milliseconds(30_000, 'Time limit for receiving the whole request'),
  STALL_TIMEOUT_MS: milliseconds(60_000, 'Time after which a connection without progress is closed'),
  SEND_TIMEOUT_MS: milliseconds(120_000, 'Time limit for a client to read a part of a list'),
  MEMORY_BUDGET_BYTES: integer(
    0,
    0,
    MAX,
    'Memory for all requests in flight, in bytes; 0 means a quarter of the memory available to the process',
  ),
  MEMORY_WAIT_MS: milliseconds(5_000, 'Time that a request waits for memory before it returns 503', 0),
  MEMORY_QUEUE: integer(
    500,
    0,
    1_000_000,
    'Maximum number of requests waiting for memory, for each use of it',
  ),
  CACHE_CHARACTERS: integer(
    83_886_080,
    0,
    MAX,
    'Maximum length of all resources that a process caches, as stored and in other forms, in characters; 0 caches none',
  ),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(5_000, 'Time after which an idle connection is closed'),
  SHUTDOWN_TIMEOUT_MS: milliseconds(8_000, 'Time limit for requests in flight to finish after SIGTERM', 0),
  STORE_BUSY_TIMEOUT_MS: milliseconds(
    5_000,
    'Time limit for waiting while another process locks the database',
    0,
  ),
  STORE_QUEUE_WRITES: integer(
    20_000,
    1,
    MAX,
    'Maximum number of writes waiting for the store; further ones return 503',
  ),
  STORE_QUEUE_BYTES: integer(
    134_217_728,
    1,
    MAX,
    'Maximum size of all writes waiting for the store, in bytes',
  ),
  POSTGRES_CONNECT_TIMEOUT_MS: milliseconds(
    2_000,
    'Time limit for a PostgreSQL server to accept a connection',
  ),
  POSTGRES_RESPONSE_TIMEOUT_MS: milliseconds(15_000, 'Time limit for PostgreSQL to respond to a statement'),
  POSTGRES_READ_CONNECTIONS: integer(
    3,
    1,
    1_000,
    'Number of connections of a process to PostgreSQL for reads',
  ),
  POSTGRES_WRITE_CONNECTIONS: integer(
    2,
    1,
    1_000,
    'Number of connections of a process to PostgreSQL for writes',
  ),
  IDEMPOTENCY_KEEP_MS: integer(
    DAY_MS,
    1,
    MAX,
    'Time in which a create can be repeated with the same Idempotency-Key, in milliseconds',
  ),
  CASCADE_MAX: integer(
    1_000,
    0,
    1_000_000,
    'Maximum number of other resources that a deletion may delete or change',
  ),
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

/** The effective settings. */
export type Settings = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] };

/**
 * Reads every setting from an environment; an empty variable counts as absent.
 * Throws one Error that lists every variable with an invalid value.
 */
export function readSettings(environment: { [name: string]: string | undefined }): Settings {
  const wrong: string[] = [];
  const entries = Object.entries<Setting<string | number | boolean | readonly string[]>>(SETTINGS).map(
    ([name, setting]) => {
      const given = environment[name];
      if (given === undefined || given === '') return [name, setting.fallback];
      const value = setting.read(given);
      if (value === undefined) wrong.push(`${name}=${given}: expected ${setting.expects}`);
      return [name, value];
    },
  );
  if (wrong.length > 0) throw new Error(`wrong settings:\n  ${wrong.join('\n  ')}`);
  return Object.fromEntries(entries) as Settings;
}
