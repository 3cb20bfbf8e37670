import type { IncomingHttpHeaders } from 'node:http';
import {
  ACTIONS,
  type ResourceEvent,
  type ResourceEventData,
  sourceOf,
  typeOf,
} from '../events/log/cloud-event';
import { isSigned, readSecrets } from '../events/webhooks/webhook-signature';
import type { Resource } from '../model/resource';
import { isObject } from '../model/schema';

/** Options of `receiveWebhook`. */
export interface ReceiveOptions {
  /** Maximum difference between the time of sending and the receiver's clock, in milliseconds: 300,000 by default. */
  toleranceMs?: number;
}

/** A message that is not an event of the service that has the secret. */
export class WebhookRefused extends Error {
  constructor(
    /** The HTTP status to respond with: 401 for a missing or wrong signature, 400 for anything else. */
    readonly status: 400 | 401,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WebhookRefused';
  }
}

/**
 * Verifies the signature of a message to a webhook and returns its event, in structured or binary mode. `body` is the body
 * as it came, not yet parsed; `secret` is WEBHOOK_SECRET of the sender: one secret, or several separated by commas.
 * Rejects with WebhookRefused for a message that is not from the sender, is too old or holds no event of a resource, and
 * with a TypeError for arguments that cannot be right.
 */
export async function receiveWebhook<R = Resource>(
  headers: IncomingHttpHeaders | Headers,
  body: string | Uint8Array,
  secret: string,
  { toleranceMs = 300_000 }: ReceiveOptions = {},
): Promise<ResourceEvent<R>> {
  const received = lowerCased(headers);
  const bytes = bytesOf(body);
  const id = verify(received, bytes, secretsIn(secret), toleranceMs);
  const { eventIn } = await import('./sdk');
  // The SDK knows media types only without parameters, and one spelling of one.
  const [type = ''] = (received['content-type'] ?? '').split(';');
  const message = {
    headers: { ...received, 'content-type': type.trim().toLowerCase() },
    body: bytes.toString(),
  };
  let event: { id: string; type: string; source: string; data?: unknown };
  try {
    event = eventIn(message);
  } catch (cause) {
    throw new WebhookRefused(400, 'the message is not a CloudEvent', { cause });
  }
  // In binary mode the signature covers the data and the id, but no attributes in headers: these must agree with it.
  if (event.id !== id || !isOfResource(event))
    throw new WebhookRefused(
      400,
      'the message is not an event of a resource, or its attributes differ from its data',
    );
  return event as ResourceEvent<R>;
}

function lowerCased(headers: IncomingHttpHeaders | Headers): { [name: string]: string } {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
}

function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    'the body must be the text or the bytes as they came, since they are signed; with Express: express.raw({ type: () => true })',
  );
}

function secretsIn(secret: string): string[] {
  const secrets = readSecrets('the secret', typeof secret === 'string' ? secret : '');
  if (secrets.length === 0)
    throw new TypeError('the secret is empty: it must be WEBHOOK_SECRET of the sender');
  return secrets;
}

/** Returns the id of a message. Throws WebhookRefused for a message without a valid and current signature. */
function verify(
  headers: { [name: string]: string },
  body: Buffer,
  secrets: readonly string[],
  toleranceMs: number,
): string {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    if (value === undefined) throw new WebhookRefused(401, `the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  if (!isSigned({ id, timestamp, signature }, body, secrets))
    throw new WebhookRefused(401, 'the signature is not of this secret and this body');
  if (!(Math.abs(Date.now() - Number(timestamp) * 1000) <= toleranceMs))
    throw new WebhookRefused(401, 'the time of the signature is too far from now');
  return id;
}

function isOfResource({ type, source, data }: { type: string; source: string; data?: unknown }): boolean {
  if (!isObject(data)) return false;
  const { action, resourceKind, resourceUID, resource } = data as Partial<ResourceEventData>;
  if (typeof resourceKind !== 'string' || typeof resourceUID !== 'string' || !isObject(resource))
    return false;
  if (action === undefined || !ACTIONS.includes(action)) return false;
  return type === typeOf(resourceKind, action) && source === sourceOf(resourceKind, resourceUID);
}
