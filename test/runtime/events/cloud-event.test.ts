import { CloudEvent } from 'cloudevents';
import { type Cause, eventOf, type ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import type { Resource } from '../../../templates/runtime/model/resource';

const TIME = Date.parse('2024-05-01T10:00:00.000Z');

function device(name = 'lamp'): Resource {
  const updatedAt = '2024-05-01T09:59:59.000Z';
  return {
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: { name, uid: 'dev-0123456789abcdef', createdAt: updatedAt, updatedAt, generation: 1 },
    spec: { name: 'lamp' },
    status: { ready: false },
  };
}

const CAUSES: [cause: Cause, type: string, action: string, metadata: object][] = [
  ['created', 'io.svc.device.created', 'created', { updatedAt: '2024-05-01T09:59:59.000Z' }],
  ['updated', 'io.svc.device.updated', 'updated', { updatedAt: '2024-05-01T09:59:59.000Z' }],
  [
    'status',
    'io.svc.device.updated',
    'updated',
    { updatedAt: '2024-05-01T09:59:59.000Z', updateType: 'status' },
  ],
  ['deleted', 'io.svc.device.deleted', 'deleted', { updatedAt: '2024-05-01T09:59:59.000Z' }],
];

test.each(CAUSES)('%s has the attributes and data of the specification', (cause, type, action, metadata) => {
  const resource = device();
  const event = eventOf(cause, resource, JSON.stringify(resource), TIME);
  expect(JSON.parse(event.text)).toEqual({
    specversion: '1.0',
    type,
    source: 'svc-api/resources/Device/dev-0123456789abcdef',
    id: event.id,
    time: '2024-05-01T10:00:00.000Z',
    datacontenttype: 'application/json',
    data: {
      action,
      resourceKind: 'Device',
      resourceUID: 'dev-0123456789abcdef',
      resourceName: 'lamp',
      resource,
      metadata,
    },
  });
  expect(event.type).toBe(type);
});

test.each(CAUSES)('%s is a valid CloudEvent for the SDK', (cause) => {
  const resource = device();
  const { text } = eventOf(cause, resource, JSON.stringify(resource), TIME);
  const event = new CloudEvent(JSON.parse(text) as object, true);
  expect(event.validate()).toBe(true);
});

test.each(['a "quoted" name', 'back\\slash', 'line\nbreak', '\0', '\ud800', 'ünï 中 🚲', '}', ''])(
  'the name %j is carried exactly',
  (name) => {
    const resource = device(name);
    const { text } = eventOf('created', resource, JSON.stringify(resource), TIME);
    const { data } = JSON.parse(text) as ResourceEvent;
    expect(data.resourceName).toBe(name);
    expect(data.resource).toEqual(resource);
    expect(text).not.toContain('\n');
  },
);

test('every event has its own id', () => {
  const resource = device();
  const ids = Array.from({ length: 1_000 }, () => eventOf('created', resource, '{}', TIME).id);
  expect(new Set(ids).size).toBe(ids.length);
});
