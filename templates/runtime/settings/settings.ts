/** An environment variable: parser, default, description. */
export interface Setting<T> {
  read: (text: string) => T | undefined;
  /** The expected format, for the message about an invalid value. */
  expects: string;
  fallback: T;
  description: string;
}

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Any string. */
export const text = (fallback: string, description: string): Setting<string> => ({
  read: (value) => value,
  expects: 'a string',
  fallback,
  description,
});

/** One of several strings. */
export const oneOf = <T extends string>(
  values: readonly T[],
  fallback: T,
  description: string,
): Setting<T> => ({
  read: (value) => values.find((candidate) => candidate === value),
  expects: `one of ${values.join(', ')}`,
  fallback,
  description,
});

/** An integer within limits. */
export const integer = (
  fallback: number,
  min: number,
  max: number,
  description: string,
): Setting<number> => ({
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  },
  expects: `an integer from ${min} to ${max}`,
  fallback,
  description,
});

/** A time of at most a day. */
export const milliseconds = (fallback: number, description: string, min = 1): Setting<number> =>
  integer(fallback, min, DAY_MS, `${description}, in milliseconds`);

/** True or false. */
export const flag = (fallback: boolean, description: string): Setting<boolean> => ({
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
/** The largest number of 15 digits: a time of today can be added to it. */
export const MAX = 999_999_999_999_999;

/**
 * Every setting of the service; features add theirs with `addSettings`. Tests compare them with the table in
 * docs/operations.md.
 */
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
} as const;

/** The value of a setting. */
type Value = string | number | boolean | readonly string[];

/** Settings by name. */
export interface SettingsTable {
  [name: string]: Setting<Value>;
}

/** The values of the settings of a table. */
export type ValuesOf<Table extends { [name: string]: { fallback: Value } }> = {
  [Name in keyof Table]: Table[Name]['fallback'];
};

/** The effective settings. Each feature declares its own here (`declare module`). */
export interface Settings extends ValuesOf<typeof SETTINGS> {}

/** Adds the settings of a feature to those that are read, when its module is loaded. */
export function addSettings(table: SettingsTable): void {
  Object.assign(SETTINGS, table);
}

/**
 * Reads every setting from an environment; an empty variable counts as absent.
 * Throws one Error that lists every variable with an invalid value.
 */
export function readSettings(environment: { [name: string]: string | undefined }): Settings {
  const wrong: string[] = [];
  const entries = Object.entries<Setting<Value>>(SETTINGS).map(([name, setting]) => {
    const given = environment[name];
    if (given === undefined || given === '') return [name, setting.fallback];
    const value = setting.read(given);
    if (value === undefined) wrong.push(`${name}=${given}: expected ${setting.expects}`);
    return [name, value];
  });
  if (wrong.length > 0) throw new Error(`wrong settings:\n  ${wrong.join('\n  ')}`);
  return Object.fromEntries(entries) as Settings;
}
