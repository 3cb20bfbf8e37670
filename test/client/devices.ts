import { Collection } from '../../templates/client/collection';
import { type ClientOptions, Connection } from '../../templates/client/connection';
import { type EventOptions, EventStream } from '../../templates/client/events';
import { HistoryCollection } from '../../templates/client/history';
import type { ResourceEvent } from '../../templates/client/resource-event';
import type { Resource, ResourceInput } from '../../templates/runtime/model/resource';

export interface DeviceSpec {
  name: string;
  location: string;
  model?: string;
  config?: { [key: string]: string };
}

export interface DeviceStatus {
  phase?: 'Pending' | 'Ready' | 'Offline' | 'Error';
  message?: string;
  ready: boolean;
  version?: string;
}

export type Device = Resource<DeviceSpec, DeviceStatus>;
export type DeviceInput = ResourceInput<DeviceSpec, Omit<DeviceStatus, 'ready'> & { ready?: boolean }>;
export type Book = Resource<{ title: string; author: string }, { phase?: string; ready: boolean }>;

/** The client that svcgen renders for the test project, as far as the tests need it. */
export function createClient(options: ClientOptions): {
  devices: HistoryCollection<Device, DeviceInput>;
  books: Collection<Book>;
  events: (options?: EventOptions) => EventStream<ResourceEvent<'Device', Device>>;
} {
  const connection = new Connection(options);
  return {
    devices: new HistoryCollection(connection, 'example.svc.dev/v1/devices'),
    books: new Collection(connection, 'example.svc.dev/v1/books'),
    events: (options = {}) => new EventStream(connection, options),
  };
}

export const SPEC: DeviceSpec = { name: 'lamp', location: 'hall' };
