import type { KindDefinition } from '../../model/kinds/kind';
import {
  type HubState,
  type Part,
  type Preserved,
  versioningOf,
  type Writer,
} from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import type { Service } from '../../service/service';
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

/** Returns what is preserved after a write of one part, with the owners of fields then. Throws as `after` does. */
export function preservedAfter(
  { owners }: Pick<Service, 'owners'>,
  context: Pick<RequestContext, 'kind'> & Partial<RequestContext>,
  write: Pick<OwnedWrite, 'version' | 'part' | 'sent' | 'before' | 'resource'> & Pick<Writer, 'aside'>,
): Preserved {
  const { kind } = context;
  const preserved = versioningOf(kind).preservedAfter(kind, write.before, write.resource, write);
  return owners?.after(kind, { ...context, ...write, preserved }) ?? preserved;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service without `kubernetes: true`. */
    owners?: OwnersPart;
  }
}
