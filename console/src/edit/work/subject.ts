import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import { memberOf } from '../../../../templates/runtime/model/fields/members';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Failure } from '../../../../templates/runtime/model/problem';
import type { Resource } from '../../data/api';
import { type Draft, draftOf, saveResource, saveStatus } from '../../data/resource';
import { draftFailures, draftShape, partFailures, statusShape } from './draft';

/** What is edited of a resource: its spec and metadata, or its status. */
export interface Subject {
  /** Distinguishes the unsaved work of one resource. */
  part: 'spec' | 'status';
  shape: Shape;
  draftOf: (resource: Resource) => Draft;
  /** Writes a draft over the state that it was made from. Throws ApiError 412 if that has changed. */
  save: typeof saveResource;
  /** Returns the failures that are known without the service. */
  failures: (draft: Draft, before: Draft | undefined) => Failure[];
}

/** The spec and the metadata of a resource. */
export function specSubject(details: ConsoleVersion): Subject {
  return {
    part: 'spec',
    shape: draftShape(details),
    draftOf,
    save: saveResource,
    failures: (draft, before) => draftFailures(draft, details, before),
  };
}

/** The status of a resource. In kinds with `history`, the service writes one member of it. */
export function statusSubject(details: ConsoleVersion, hasHistory: boolean): Subject {
  const shape = statusShape(details, hasHistory);
  return {
    part: 'status',
    shape,
    draftOf: ({ status = {} }) => {
      const { version: _, ...others } = status;
      return { status: hasHistory ? others : status };
    },
    save: saveStatus,
    failures: (draft, before) => partFailures('status', draft, before, memberOf(shape, 'status')!),
  };
}
