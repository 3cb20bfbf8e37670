import type { HubState } from '../../model/kinds/versioning';
import type { Failure } from '../../model/problem';
import type { Metadata } from '../../model/resource';
import type { Deletion } from '../parts/data-part';
import type { ClientMetadata, MoreMembers } from '../request/metadata';
import type { RequestContext } from '../request/request-context';
import type { Written } from './written';

/**
 * Finalizers and owner references: the part of a service that the feature `kubernetes` adds. A deletion of a resource with
 * finalizers waits until they are removed.
 */
export interface LifecyclePart extends MoreMembers {
  /** Returns the failures that are refused in every validation mode. `stored` is absent on create. */
  failuresOf(client: ClientMetadata, stored: Metadata | undefined): Failure[];
  /** Returns whether a deletion of the resource waits. */
  holds(metadata: Metadata): boolean;
  /**
   * Marks a resource for deletion once nothing is waited for, and returns the response. Returns undefined if others have
   * written meanwhile. Throws HttpProblem 409 if it could not be deleted now.
   */
  postpone(context: RequestContext, deletion: Deletion, state: HubState): Promise<Written | undefined>;
  /** Returns whether a resource with this metadata, after a write, is to be deleted: nothing is waited for any more. */
  completes(metadata: Metadata): boolean;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service without the feature `kubernetes`. */
    lifecycle?: LifecyclePart;
  }
}
