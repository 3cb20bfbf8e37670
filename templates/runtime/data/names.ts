import { randomInt } from 'node:crypto';
import type { ClientMetadata } from '../api/request/metadata';
import type { KindDefinition } from '../model/kinds/kind';
import type { Failure } from '../model/problem';
import type { Metadata } from '../model/resource';
import { isUidOf } from './plan/entries';

const MAX_LENGTH = 253;

/** The random end of a generated name: no vowels, which make words, and no characters that look alike. */
const CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';
const RANDOM_LENGTH = 5;

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** Returns whether a string has the form of a unique name: a subdomain of RFC 1123. */
export function isName(text: string): boolean {
  return text.length <= MAX_LENGTH && SUBDOMAIN.test(text);
}

/** Returns the failures of the names that a client sent for a kind with this prefix. A name may stay as it is stored. */
export function nameFailures(
  prefix: string,
  { name, generateName }: ClientMetadata,
  stored: Pick<Metadata, 'name' | 'uid'> | undefined,
): Failure[] {
  const failures: Failure[] = [];
  if (name !== undefined && name !== stored?.name && name !== stored?.uid) {
    const detail = nameFailure(prefix, name);
    if (detail !== undefined) failures.push({ pointer: '/metadata/name', rule: 'name', detail });
  }
  if (
    generateName !== undefined &&
    stored === undefined &&
    !isName(`${generateName}${'x'.repeat(RANDOM_LENGTH)}`)
  )
    failures.push({
      pointer: '/metadata/generateName',
      rule: 'name',
      detail: `metadata.generateName must be the beginning of a name, at most ${MAX_LENGTH - RANDOM_LENGTH} characters`,
    });
  return failures;
}

/** Returns whether a stored name has the form of new ones. */
export function isProperName(prefix: string, { name, uid }: Pick<Metadata, 'name' | 'uid'>): boolean {
  return name === uid || nameFailure(prefix, name) === undefined;
}

function nameFailure(prefix: string, name: string): string | undefined {
  if (!isName(name))
    return `metadata.name must have lowercase letters, digits, - and . (RFC 1123), at most ${MAX_LENGTH} characters`;
  return isUidOf(prefix, name) ? 'metadata.name must not have the form of a uid' : undefined;
}

/** Maximum length of a generated name, as in Kubernetes: such a name can be the value of a label there. */
const MAX_GENERATED_LENGTH = 63;

/** Returns the metadata of a resource to create: with a generated name where the client asks for one. */
export function namedMetadata({ data, uidPrefix }: KindDefinition, client: ClientMetadata): ClientMetadata {
  const { name, generateName } = client;
  if (data?.uniqueNames !== true || name !== undefined || generateName === undefined) return client;
  return { ...client, name: generatedName(uidPrefix, generateName) };
}

/** Returns a random name that begins with a prefix or its first characters, and is no uid of the kind. */
function generatedName(uidPrefix: string, prefix: string): string {
  const start = prefix.slice(0, MAX_GENERATED_LENGTH - RANDOM_LENGTH);
  for (;;) {
    const end = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
    const name = `${start}${end.join('')}`;
    if (!isUidOf(uidPrefix, name)) return name;
  }
}
