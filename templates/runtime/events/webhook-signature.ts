import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * The headers by which the receiver knows that a message is from this service and not older than it says
 * (Standard Webhooks): id, time and, for each secret, an HMAC-SHA256 of `<id>.<time>.<body>`. A secret is
 * `whsec_` and Base64, or any text. Several secrets sign side by side while receivers change from one to the
 * other. `now` is in milliseconds since 1970.
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
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}

/** Whether a text is a secret: any text that is not empty, but behind `whsec_` Base64 alone. */
export function isSecret(text: string): boolean {
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
