import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * Returns the headers that prove to the receiver that a message is from this service and not older than it says
 * (Standard Webhooks): id, time and, for each secret, an HMAC-SHA256 of `<id>.<time>.<body>`. A secret is `whsec_` and
 * Base64, or any other string. Several secrets sign the same message while receivers change from one to the other.
 * `now` is in milliseconds since 1970.
 */
export function signatureHeaders(
  id: string,
  now: number,
  body: string,
  secrets: readonly string[],
): { [header: string]: string } {
  const timestamp = String(Math.floor(now / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secrets.length === 0) return headers;
  const signatures = secrets.map((secret) => signatureOf(id, timestamp, body, secret));
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}

/**
 * Returns true if one of the signatures in `signature`, separated by spaces, is that of the message by one of the
 * secrets. The comparison takes constant time.
 */
export function isSigned(
  { id, timestamp, signature }: { id: string; timestamp: string; signature: string },
  body: Uint8Array,
  secrets: readonly string[],
): boolean {
  const given = signature.split(' ').map((text) => Buffer.from(text));
  return secrets.some((secret) => {
    const right = Buffer.from(signatureOf(id, timestamp, body, secret));
    return given.some((each) => each.length === right.length && timingSafeEqual(each, right));
  });
}

function signatureOf(id: string, timestamp: string, body: string | Uint8Array, secret: string): string {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}

/** Returns the secrets in a string, separated by commas. Throws an Error for one that could be read in two ways. */
export function readSecrets(place: string, text: string): string[] {
  const secrets = words(text);
  const wrong = secrets.findIndex((secret) => !isSecret(secret));
  if (wrong < 0) return secrets;
  throw new Error(`${place}, number ${wrong + 1}: whsec_ must be followed by Base64`);
}

/** Returns the parts of a string between commas, without empty ones. */
export function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Returns true for a valid secret: any string that is not empty, but only Base64 after `whsec_`. */
function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return text !== '';
  return /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{4}|[A-Za-z\d+/]{3}=?|[A-Za-z\d+/]{2}(?:==)?)$/.test(
    text.slice(PREFIX.length),
  );
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
