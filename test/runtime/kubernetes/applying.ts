import { pathOf, pointersIn } from '../../../templates/runtime/kubernetes/ownership/field-path';
import { type Cluster, devices } from './devices';

/** The media type of a server-side apply. */
export const APPLY = { 'Content-Type': 'application/apply-patch+yaml' };

/** Applies a part of a device as a manager. `body` may be YAML. */
export function apply(
  cluster: Cluster,
  [manager, name, query = '']: readonly [manager: string, name: string, query?: string],
  body: object | string,
  { version = 'v1', part = '' } = {},
): ReturnType<Cluster['request']> {
  const path = `${devices(version)}/${name}${part}?fieldManager=${manager}${query}`;
  return cluster.request('PATCH', path, { body, headers: APPLY });
}

/** A device as a manager applies it. */
export function wanted(spec: object, version = 'v1', metadata: object = {}): object {
  return { apiVersion: `example.svc.dev/${version}`, kind: 'Device', metadata, spec };
}

interface ManagedFields {
  manager: string;
  operation: string;
  subresource?: string;
  fieldsV1: object;
}

/** Returns the fields of each manager of an object, such as `{ 'kubectl Apply': 'spec.location' }`. */
export function ownersOf({ body }: Awaited<ReturnType<Cluster['request']>>): { [manager: string]: string } {
  const managed = (body.metadata.managedFields ?? []) as ManagedFields[];
  return Object.fromEntries(
    managed.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(' '),
      pointersIn(fieldsV1 as never)
        .map((pointer) => pathOf(pointer).slice(1))
        .join(' '),
    ]),
  );
}
