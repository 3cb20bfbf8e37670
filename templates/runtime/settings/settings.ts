/** An environment variable: parser and default. */
export interface Setting<T> {
  read: (text: string) => T | undefined;
  /** The expected format, for the message about an invalid value. */
  expects: string;
  fallback: T;
}

/** A day in milliseconds. */
const DAY_MS = 86_400_000;

/** Any string; none by default. */
export const TEXT: Setting<string> = { read: (value) => value, expects: 'a string', fallback: '' };

/** One of several strings. */
export const oneOf = <T extends string>(values: readonly T[], fallback: T): Setting<T> => ({
  read: (value) => values.find((candidate) => candidate === value),
  expects: `one of ${values.join(', ')}`,
  fallback,
});

/** An integer within limits. */
export const integer = (fallback: number, min: number, max: number): Setting<number> => ({
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  },
  expects: `an integer from ${min} to ${max}`,
  fallback,
});

/** A time of at most a day, in milliseconds. */
export const milliseconds = (fallback: number, min = 1): Setting<number> => integer(fallback, min, DAY_MS);

/** True or false. */
export const flag = (fallback: boolean): Setting<boolean> => ({
  read: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
  expects: 'true or false',
  fallback,
});

const list = (item: RegExp, expects: string): Setting<readonly string[]> => ({
  read: (value) => {
    const items = value.split(',').map((text) => text.trim().toLowerCase());
    return items.every((text) => item.test(text)) ? items : undefined;
  },
  expects,
  fallback: [],
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** The largest number of 15 digits: a time of today can be added to it. */
export const MAX = 999_999_999_999_999;

/**
 * The settings of every service, also those of parts that it may lack, such as PostgreSQL and workers; other features add
 * theirs with `addSettings`. README.md of the service describes those that concern it.
 */
export const SETTINGS = {
  HOST: TEXT,
  PORT: integer(8080, 0, 65_535),
  TLS_CERT: TEXT,
  TLS_KEY: TEXT,
  ALLOWED_HOSTS: list(/^\.?[\w-]+(?:\.[\w-]+)*$/, 'host names without ports, separated by commas'),
  TRUSTED_ORIGINS: list(
    /^(?:https?:\/\/[^/?#@\s]+|\*)$/,
    'origins such as https://app.example.com, separated by commas, or *',
  ),
  WORKERS: integer(1, 1, 1_024),
  DATABASE_URL: TEXT,
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info'),
  LOG_REQUESTS: flag(false),
  METRICS: flag(true),
  MAX_BODY_BYTES: integer(1_048_576, 1, 1_073_741_824),
  MAX_DEPTH: integer(64, 1, 1_000),
  MAX_PATCH_OPERATIONS: integer(1_000, 1, MAX),
  MAX_PATCHED_BYTES: integer(4_194_304, 1, MAX),
  /** The default takes about half a second. */
  MAX_PATTERN_STEPS: integer(50_000_000, 1, MAX),
  MAX_PAGE_SIZE: integer(1_000, 1, 1_000_000),
  MAX_HEADERS: integer(2_000, 1, 1_000_000),
  MAX_HEADER_BYTES: integer(16_384, 1_024, 1_048_576),
  MAX_CONNECTIONS: integer(10_000, 1, 1_000_000),
  HEADERS_TIMEOUT_MS: milliseconds(10_000),
  REQUEST_TIMEOUT_MS: milliseconds(30_000),
  STALL_TIMEOUT_MS: milliseconds(60_000),
  SEND_TIMEOUT_MS: milliseconds(120_000),
  HOOK_TIMEOUT_MS: milliseconds(10_000),
  MEMORY_BUDGET_BYTES: integer(0, 0, MAX),
  MEMORY_WAIT_MS: milliseconds(5_000, 0),
  MEMORY_QUEUE: integer(500, 0, 1_000_000),
  CACHE_CHARACTERS: integer(83_886_080, 0, MAX),
  /** Proxies must close idle connections first; of the common ones, Caddy takes longest: two minutes. */
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(125_000),
  SHUTDOWN_DELAY_MS: milliseconds(0, 0),
  SHUTDOWN_TIMEOUT_MS: milliseconds(8_000, 0),
  STORE_BUSY_TIMEOUT_MS: milliseconds(5_000, 0),
  STORE_QUEUE_WRITES: integer(20_000, 1, MAX),
  STORE_QUEUE_BYTES: integer(134_217_728, 1, MAX),
  POSTGRES_CONNECT_TIMEOUT_MS: milliseconds(2_000),
  POSTGRES_RESPONSE_TIMEOUT_MS: milliseconds(15_000),
  POSTGRES_READ_CONNECTIONS: integer(3, 1, 1_000),
  POSTGRES_WRITE_CONNECTIONS: integer(2, 1, 1_000),
  IDEMPOTENCY_KEEP_MS: integer(DAY_MS, 1, MAX),
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
