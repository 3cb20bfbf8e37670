import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../settings';
import { isSecret } from './webhook-signature';

/** A webhook as it is configured. */
export interface WebhookConfig {
  /** Under which its position is stored: it stays the same as long as this does. */
  name: string;
  url: URL;
  /** Patterns of the types that are sent. */
  types: readonly string[];
  /** Of the resources: `v1` or `<group>/v1`; undefined for the storage version. */
  version: string | undefined;
  secrets: readonly string[];
}

/**
 * Every webhook of WEBHOOK_URLS and of the file WEBHOOK_FILE, a JSON array of `{ "url", "name"?, "types"?,
 * "version"?, "secret"? }`. A name is the URL's digest where none is given. `versions` are those of the service, as
 * `<group>/<version>`. Throws an Error that names what is wrong, without
 * secrets.
 */
export function readWebhooks(
  { WEBHOOK_URLS, WEBHOOK_FILE, WEBHOOK_SECRET }: Settings,
  versions: readonly string[],
): WebhookConfig[] {
  const urls = words(WEBHOOK_URLS).map((url, index) => ({
    place: `WEBHOOK_URLS, number ${index + 1}`,
    entry: { url },
  }));
  const secrets = readSecrets('WEBHOOK_SECRET', WEBHOOK_SECRET);
  const entries = [...urls, ...(WEBHOOK_FILE === '' ? [] : readEntries(WEBHOOK_FILE))];
  const webhooks = entries.map(({ place, entry }) => readEntry(place, entry, secrets, versions));
  const names = webhooks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two webhooks are the same, or have the same name: ${twice}`);
  return webhooks;
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function readEntries(path: string): { place: string; entry: unknown }[] {
  const content = parse(path, textOf(path));
  if (!Array.isArray(content)) throw new Error(`${path} must be a JSON array of webhooks`);
  return content.map((entry: unknown, index) => ({ place: `${path}, number ${index + 1}`, entry }));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`WEBHOOK_FILE cannot be read: ${(error as Error).message}`);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says may quote a secret.
    throw new Error(`${path} is no JSON`);
  }
}

const MEMBERS = ['name', 'url', 'types', 'version', 'secret'];

function readEntry(
  place: string,
  entry: unknown,
  secrets: string[],
  versions: readonly string[],
): WebhookConfig {
  const { name, url, types, version, secret } = Object(entry) as { [member: string]: unknown };
  const unknown = Object.keys(Object(entry) as object).filter((member) => !MEMBERS.includes(member));
  if (unknown.length > 0)
    throw new Error(`${place}: unknown ${unknown.join(', ')}; a webhook has ${MEMBERS.join(', ')}`);
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:') {
    throw new Error(`${place}: the url must be http://… or https://…`);
  }
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw new Error(`${place}: the name must be a text`);
  if (secret !== undefined && (typeof secret !== 'string' || words(secret).length === 0))
    throw new Error(`${place}: the secret must be a text`);
  return {
    name: name ?? createHash('sha256').update(target.href).digest('hex').slice(0, 16),
    url: target,
    types: readTypes(place, types),
    version: readVersion(place, version, versions),
    secrets: secret === undefined ? secrets : readSecrets(`${place}, secret`, secret),
  };
}

/** Each of them signs. Throws an Error for one that could be read in two ways. */
function readSecrets(place: string, text: string): string[] {
  const secrets = words(text);
  const wrong = secrets.findIndex((secret) => !isSecret(secret));
  if (wrong < 0) return secrets;
  throw new Error(`${place}, number ${wrong + 1}: whsec_ must be followed by Base64`);
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
