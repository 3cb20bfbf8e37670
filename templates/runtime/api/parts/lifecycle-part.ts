import type { Failure } from '../../model/problem';
import type { Metadata } from '../../model/resource';
import type { ClientMetadata, MoreMembers } from '../request/metadata';

/**
 * Finalizers and owner references: the part of a service that the feature `kubernetes` adds. A deletion of a resource with
 * finalizers waits until they are removed.
 */
export interface LifecyclePart extends MoreMembers {
  /** Returns the failures that are refused in every validation mode. `stored` is absent on create. */
  failuresOf(client: ClientMetadata, stored: Metadata | undefined): Failure[];
  /** Returns whether a deletion of the resource waits. */
  holds(metadata: Metadata): boolean;
  /** Returns whether a resource with this metadata, after a write, is to be deleted: nothing is waited for any more. */
  completes(metadata: Metadata): boolean;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service without the feature `kubernetes`. */
    lifecycle?: LifecyclePart;
  }
}
