import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState, Part, Preserved } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import type { RequestContext } from '../request/request-context';

/**
 * The part of a service that records the manager of each field. The owners are stored with the preserved fields of a
 * resource.
 */
export interface OwnersPart {
  /**
   * Returns what is preserved after a write, with the owners of fields then. Throws HttpProblem 409 where the writer applies
   * other values of fields that others own.
   */
  after(kind: KindDefinition, write: OwnedWrite): Preserved;
}

/** A write of one part of a resource, by a request or a program. */
export interface OwnedWrite extends Partial<RequestContext> {
  version: string;
  part: Part;
  /** The part as it was sent, its field defaults filled in. */
  sent: JsonObject;
  /** Undefined on create. */
  before: HubState | undefined;
  /** The resource after the write, in the storage version, and its other preserved fields. */
  resource: Resource;
  preserved: Preserved;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service without `kubernetes: true`. */
    owners?: OwnersPart;
  }
}
