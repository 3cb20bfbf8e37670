import { CloudEvent } from 'cloudevents';
import { receiveWebhook, WebhookRefused } from '../../../templates/runtime/cloudevents/receive-webhook';
import { binaryMessage } from '../../../templates/runtime/cloudevents/sdk';
import { eventOf, type StoredResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import { signatureHeaders } from '../../../templates/runtime/events/webhooks/webhook-signature';
import type { Resource } from '../../../templates/runtime/model/resource';
import { createDevice, remove, setPhase, startDevices, until } from './devices';
import { type Message, startReceiver } from './receiver';

const SECRET = 'whsec_bmV3';
const MODES = ['structured', 'binary'] as const;
type Mode = (typeof MODES)[number];

/** A device as its project would type it. */
interface Device extends Resource {
  spec: { name: string; location: string };
}

describe.each(MODES)('a message of a service in %s mode', (mode) => {
  let messages: Message[];
  let uid: string;
  beforeAll(async () => {
    const receiver = await startReceiver();
    const service = await startDevices({
      environment: {
        WEBHOOK_ALLOW_PRIVATE: 'true',
        WEBHOOK_URLS: receiver.url,
        WEBHOOK_SECRET: SECRET,
        WEBHOOK_MODE: mode,
      },
    });
    uid = await createDevice(service.port, 'ünï 中 "🚲"');
    await setPhase(service.port, uid, 'Ready');
    await remove(service.port, uid);
    await until(() => receiver.messages.length === 3);
    ({ messages } = receiver);
    await service.close();
  });

  test.each<
    [
      form: string,
      secret: string,
      of: (message: Message) => [Message['headers'] | Headers, string | Uint8Array],
    ]
  >([
    ['text', SECRET, ({ headers, body }) => [headers, body]],
    ['bytes, while secrets change', `old, ${SECRET}`, ({ headers, body }) => [headers, Buffer.from(body)]],
    [
      'fetch',
      SECRET,
      ({ headers, body }) => [
        new Headers(headers as { [name: string]: string }),
        new TextEncoder().encode(body),
      ],
    ],
  ])('is a typed CloudEvent: %s', async (_, secret, of) => {
    const events = await Promise.all(
      messages.map((message) => receiveWebhook<Device>(...of(message), secret)),
    );
    expect(events.map(({ type, data }) => [type, data.metadata.updateType])).toEqual([
      ['io.svc.device.created', undefined],
      ['io.svc.device.updated', 'status'],
      ['io.svc.device.deleted', undefined],
    ]);
    for (const event of events) {
      expect(event).toBeInstanceOf(CloudEvent);
      expect(event.validate()).toBe(true);
      expect(event.source).toBe(`svc-api/resources/Device/${uid}`);
      const name: string = event.data.resource.spec.name;
      expect(name).toBe('ünï 中 "🚲"');
    }
  });
});

const resource: Resource = {
  apiVersion: 'example.svc.dev/v1',
  kind: 'Device',
  metadata: {
    ...{ name: 'lamp', uid: 'dev-0123456789abcdef', generation: 1 },
    ...{ createdAt: '2024-05-01T09:59:59.000Z', updatedAt: '2024-05-01T09:59:59.000Z' },
  },
  spec: { name: 'lamp' },
  status: {},
};

/** Changes of a test to a message. */
interface Change {
  secret?: string;
  sentAt?: number;
  /** Before it is signed. */
  event?: (event: StoredResourceEvent) => object;
  /** After it was signed. */
  headers?: { [name: string]: string | undefined };
  body?: (text: string) => string;
}

function message(mode: Mode, { secret = SECRET, sentAt = Date.now(), event, headers, body }: Change) {
  const { id, text } = eventOf('created', resource, JSON.stringify(resource), Date.now());
  const stored = JSON.parse(text) as StoredResourceEvent;
  const sent = { ...stored, ...event?.(stored) } as StoredResourceEvent;
  const plain =
    mode === 'binary'
      ? binaryMessage(sent)
      : { headers: { 'content-type': 'application/cloudevents+json' }, body: JSON.stringify(sent) };
  return {
    headers: { ...plain.headers, ...signatureHeaders(id, sentAt, plain.body, [secret]), ...headers },
    body: body?.(plain.body) ?? plain.body,
  };
}

const SIGNATURE = 'the signature is not of this secret and this body';
const TIME = 'the time of the signature is too far from now';
const OTHER = 'the message is not an event of a resource, or its attributes differ from its data';
const NO_EVENT = 'the message is not a CloudEvent';

describe.each(MODES)('in %s mode', (mode) => {
  test.each<[what: string, change: Change]>([
    ['as it is sent', {}],
    [
      'parameters of the media type',
      mode === 'binary'
        ? { headers: { 'content-type': 'Application/JSON;charset="utf-8"' } }
        : { headers: { 'content-type': 'Application/CloudEvents+JSON;charset="utf-8"' } },
    ],
    ['four minutes late', { sentAt: Date.now() - 240_000 }],
  ])('is received: %s', async (_, change) => {
    const { headers, body } = message(mode, change);
    const given = { ...headers, 'webhook-signature': `v2,x v1,AAAA ${headers['webhook-signature']}` };
    expect((await receiveWebhook(given, body, SECRET)).data.resource).toEqual(resource);
  });

  test.each<[what: string, change: Change, status: number, message: string]>([
    ['another secret', { secret: 'other' }, 401, SIGNATURE],
    ['a changed body', { body: (text) => text.replace('lamp', 'lump') }, 401, SIGNATURE],
    ['a changed id', { headers: { 'webhook-id': 'other' } }, 401, SIGNATURE],
    ['a changed time', { headers: { 'webhook-timestamp': '1' } }, 401, SIGNATURE],
    ['an empty signature', { headers: { 'webhook-signature': '' } }, 401, SIGNATURE],
    ['a short signature', { headers: { 'webhook-signature': 'v1,' } }, 401, SIGNATURE],
    [
      'no signature',
      { headers: { 'webhook-signature': undefined } },
      401,
      'the header webhook-signature is missing',
    ],
    [
      'no time',
      { headers: { 'webhook-timestamp': undefined } },
      401,
      'the header webhook-timestamp is missing',
    ],
    ['no id', { headers: { 'webhook-id': undefined } }, 401, 'the header webhook-id is missing'],
    ['ten minutes late', { sentAt: Date.now() - 600_000 }, 401, TIME],
    ['ten minutes early', { sentAt: Date.now() + 600_000 }, 401, TIME],
    ['another type than its data', { event: () => ({ type: 'io.svc.device.deleted' }) }, 400, OTHER],
    ['another source than its data', { event: () => ({ source: 'svc-api/resources/Device/x' }) }, 400, OTHER],
    ['another id than was signed', { event: () => ({ id: 'other' }) }, 400, OTHER],
    ['data of something else', { event: () => ({ data: { hello: 'world' } }) }, 400, OTHER],
    ['no data', { event: () => ({ data: null }) }, 400, OTHER],
    [
      'an action that there is not',
      { event: ({ data }) => ({ type: 'io.svc.device.moved', data: { ...data, action: 'moved' } }) },
      400,
      OTHER,
    ],
    ['no resource', { event: ({ data }) => ({ data: { ...data, resource: undefined } }) }, 400, OTHER],
    ['another version of CloudEvents', { event: () => ({ specversion: '0.3' }) }, 400, NO_EVENT],
    ['a source that is no URI reference', { event: () => ({ source: 'a b' }) }, 400, NO_EVENT],
    ['another media type', { headers: { 'content-type': 'text/plain', 'ce-id': undefined } }, 400, NO_EVENT],
    ['a batch', { headers: { 'content-type': 'application/cloudevents-batch+json' } }, 400, NO_EVENT],
  ])('is refused: %s', async (_, change, status, want) => {
    const { headers, body } = message(mode, change);
    const error = await receiveWebhook(headers, body, SECRET).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookRefused);
    expect(error).toMatchObject({ status, message: want });
  });

  test('a changed header of an attribute that the data have too is refused', async () => {
    const { headers, body } = message('binary', { headers: { 'ce-type': 'io.svc.device.deleted' } });
    await expect(receiveWebhook(headers, body, SECRET)).rejects.toThrow(OTHER);
  });
});

test('a body that is signed but no JSON is refused', async () => {
  const headers = {
    'content-type': 'application/cloudevents+json',
    ...signatureHeaders('1', Date.now(), '{"specversion"', [SECRET]),
  };
  await expect(receiveWebhook(headers, '{"specversion"', SECRET)).rejects.toMatchObject({
    status: 400,
    message: NO_EVENT,
  });
});

test('how old a message may be can be chosen', async () => {
  const { headers, body } = message('structured', { sentAt: Date.now() - 600_000 });
  expect((await receiveWebhook(headers, body, SECRET, { toleranceMs: 900_000 })).type).toBe(
    'io.svc.device.created',
  );
});

test.each<[what: string, body: unknown, secret: unknown, message: RegExp]>([
  ['a body that was parsed', {}, SECRET, /^the body must be the text or the bytes .*express\.raw/],
  ['no body', undefined, SECRET, /^the body must be/],
  ['no secret', '{}', undefined, /^the secret is empty/],
  ['an empty secret', '{}', ' , ', /^the secret is empty/],
  ['a secret that is no Base64', '{}', 'whsec_-', /^the secret, number 1: whsec_ must be followed by Base64/],
])('wrong arguments are no refusal: %s', async (_, body, secret, want) => {
  const error = (await receiveWebhook({}, body as string, secret as string).catch(
    (thrown: unknown) => thrown,
  )) as Error;
  expect(error.message).toMatch(want);
  expect(error).not.toBeInstanceOf(WebhookRefused);
});
