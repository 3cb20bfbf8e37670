import { hash } from 'node:crypto';
import { decodeText, readRegularFile } from '../../files/regular-file';
import type { Settings } from '../../settings/settings';
import { EVENT_MODES } from '../log/event-settings';
import { readSecrets, words } from './webhook-signature';

/** Configuration of a webhook. */
interface WebhookConfig {
  /** The name its position is stored under: it stays the same as long as this does. */
  name: string;
  url: URL;
  /** Patterns of event types to send. */
  types: readonly string[];
  /** Version of the resources: `v1` or `<group>/v1`; undefined for the storage version. */
  version: string | undefined;
  secrets: readonly string[];
  mode: EventMode;
}

/** The part of a message that holds the attributes of an event: its body, or its headers. */
type EventMode = Settings['WEBHOOK_MODE'];

/**
 * Reads every webhook of WEBHOOK_URLS and of the file WEBHOOK_FILE, a JSON array of `{ "url", "name"?, "types"?,
 * "version"?, "secret"?, "mode"? }`. The default name is the URL's digest. `versions` are those of the service, as
 * `<group>/<version>`. Throws an Error that names the mistake, without secrets.
 */
export function readWebhooks(
  { WEBHOOK_URLS, WEBHOOK_FILE, WEBHOOK_SECRET, WEBHOOK_MODE }: Settings,
  versions: readonly string[],
): WebhookConfig[] {
  const urls = words(WEBHOOK_URLS).map((url, index) => ({
    place: `WEBHOOK_URLS, number ${index + 1}`,
    entry: { url },
  }));
  const secrets = readSecrets('WEBHOOK_SECRET', WEBHOOK_SECRET);
  if (WEBHOOK_SECRET !== '' && secrets.length === 0)
    throw new Error('WEBHOOK_SECRET has only spaces and commas: messages would not be signed');
  const entries = [...urls, ...(WEBHOOK_FILE === '' ? [] : readEntries(WEBHOOK_FILE))];
  const webhooks = entries.map(({ place, entry }) =>
    readEntry(place, entry, { secrets, mode: WEBHOOK_MODE }, versions),
  );
  const names = webhooks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two webhooks are the same, or have the same name: ${twice}`);
  return webhooks;
}

/** Thousands of webhooks, in bytes. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

function readEntries(path: string): { place: string; entry: unknown }[] {
  const content = parse(path, textOf(path));
  if (!Array.isArray(content)) throw new Error(`${path} must be a JSON array of webhooks`);
  return content.map((entry: unknown, index) => ({ place: `${path}, number ${index + 1}`, entry }));
}

function textOf(path: string): string {
  try {
    return decodeText(readRegularFile(path, MAX_LIST_BYTES));
  } catch (error) {
    throw new Error(`WEBHOOK_FILE=${path} ${(error as Error).message}`, { cause: error });
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message may quote a secret.
    throw new Error(`${path} is not JSON`);
  }
}

const MEMBERS = ['name', 'url', 'types', 'version', 'secret', 'mode'];

function readEntry(
  place: string,
  entry: unknown,
  defaults: Pick<WebhookConfig, 'secrets' | 'mode'>,
  versions: readonly string[],
): WebhookConfig {
  const { name, url, types, version, secret, mode } = Object(entry) as { [member: string]: unknown };
  const unknown = Object.keys(Object(entry) as object).filter((member) => !MEMBERS.includes(member));
  if (unknown.length > 0)
    throw new Error(`${place}: unknown ${unknown.join(', ')}; a webhook has ${MEMBERS.join(', ')}`);
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:') {
    throw new Error(`${place}: the url must be http://… or https://…`);
  }
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw new Error(`${place}: the name must be a non-empty string`);
  if (secret !== undefined && (typeof secret !== 'string' || words(secret).length === 0))
    throw new Error(`${place}: the secret must be a non-empty string`);
  return {
    name: name ?? hash('sha256', target.href, 'hex').slice(0, 16),
    url: target,
    types: readTypes(place, types),
    version: readVersion(place, version, versions),
    secrets: secret === undefined ? defaults.secrets : readSecrets(`${place}, secret`, secret),
    mode: mode === undefined ? defaults.mode : readMode(place, mode),
  };
}

function readTypes(place: string, types: unknown): string[] {
  if (types === undefined) return ['*'];
  const isList = Array.isArray(types) && types.length > 0;
  if (isList && types.every((type) => typeof type === 'string' && type !== '')) return types as string[];
  throw new Error(`${place}: the types must be a list, such as ["io.svc.device.*"]`);
}

function readVersion(place: string, version: unknown, versions: readonly string[]): string | undefined {
  if (version === undefined) return undefined;
  const known = versions.some((name) => name === version || name.endsWith(`/${String(version)}`));
  if (typeof version === 'string' && version !== '' && known) return version;
  throw new Error(`${place}: the version must be one of ${versions.join(', ')}`);
}

function readMode(place: string, mode: unknown): EventMode {
  const known = EVENT_MODES.find((each) => each === mode);
  if (known !== undefined) return known;
  throw new Error(`${place}: the mode must be one of ${EVENT_MODES.join(', ')}`);
}
