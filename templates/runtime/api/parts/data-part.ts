import type { MoreMemory } from '../../memory/memory-budget';
import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState, Part } from '../../model/kinds/versioning';
import type { Failure } from '../../model/problem';
import type { Resource } from '../../model/resource';
import type { Json, JsonObject } from '../../model/schema';
import type { Refused, ResourceIndex } from '../../store/indexes';
import type { MaybePromise, SingleWrite, StoredResource } from '../../store/store';
import type { Expansion } from '../reads/expansion';
import type { ListSelection, SelectionParameters } from '../reads/list-selection';
import type { ClientMetadata } from '../request/metadata';
import type { RequestContext } from '../request/request-context';

/**
 * Names, fields and references of kinds that declare any: the part of a service that the feature `data` adds. It is
 * called only for kinds with `data`, so that all others pay one comparison.
 */
export interface DataPart {
  /** Returns the resource of a kind with unique names that has this uid or name; undefined where there is none. */
  find(kind: KindDefinition, uidOrName: string): MaybePromise<StoredResource | undefined>;
  /** Returns the failures in the document of a client that every validation mode refuses. */
  failuresOf(kind: KindDefinition, sent: SentPart): Failure[];
  /** Returns the failures of a new spec that changes immutable fields, with pointers into the document of `version`. */
  changedFields(kind: KindDefinition, before: Resource, spec: JsonObject, version: string): Failure[];
  /** Returns the metadata of a resource to create: with a generated name where the client asks for one. */
  namedMetadata(kind: KindDefinition, client: ClientMetadata): ClientMetadata;
  /**
   * Creates the resource that a PUT names, and responds; undefined for a PUT that does not demand a new name. Throws HttpProblem:
   * 412 where there is one of this name.
   */
  createNamed(context: RequestContext, version: string, body: Json): Promise<void> | undefined;
  /**
   * Returns all entries of a resource after a write. Throws HttpProblem 400 for a string that is too long for them, and
   * 403 for a label scope that contradicts itself.
   */
  indexOf(context: WriteContext, state: HubState, written: WrittenIn): ResourceIndex;
  /** Throws the HttpProblem of a refused create or update. It returns where a create should try another generated name. */
  refuse(context: RequestContext, written: RefusedWrite, refused: Refused): Promise<void>;
  /**
   * Deletes a resource, with what its referrers declare. Returns `conflict` where others have written meanwhile. Throws HttpProblem
   * 409 where a referrer forbids it.
   */
  remove(context: RequestContext, deletion: ReferredDeletion): Promise<'done' | 'conflict'>;
  /**
   * Returns the part of a list that a request asks for, in the words of a version; undefined for a kind without selectable
   * fields. Throws HttpProblem 400.
   */
  selection(
    kind: KindDefinition,
    version: string,
    parameters: SelectionParameters,
  ): ListSelection | undefined;
  /** Returns the expansion of references in the words of a version. Throws HttpProblem 400 for a field that is none. */
  expansion(context: RequestContext, version: string, names: readonly string[]): Expansion;
}

/** The request that writes; a program may write without one. */
export type WriteContext = Pick<RequestContext, 'kind'> & Partial<Pick<RequestContext, 'req'>>;

/** A part of a resource as a client sent it, in the version that it speaks. */
export interface SentPart {
  version: string;
  part: Part;
  fields: JsonObject;
  client?: ClientMetadata;
  /** The stored resource in that version; undefined on create. */
  shown?: Resource;
}

/** The version in whose terms a resource is written, and its state in the hub before; undefined on create. */
export interface WrittenIn {
  version: string;
  before?: Resource;
}

/** A create or an update that the store has refused. */
export interface RefusedWrite extends WrittenIn {
  /** The resource as it would have been. */
  resource: Resource;
  index?: ResourceIndex;
  /** The id of the stored resource; undefined for a create. */
  id?: number;
  /** Number of names that were generated for a create; 0 where the client has given one. */
  generated?: number;
}

/** A deletion of a stored resource, in the words of a version. */
export interface Deletion {
  version: string;
  stored: StoredResource;
  /** As for `Store.write`. */
  since: number;
  /** Reserves memory for what is deleted or changed with it. */
  more: MoreMemory;
}

/** A deletion, and its write of the resource itself. */
export interface ReferredDeletion extends Deletion {
  write: Extract<SingleWrite, { action: 'delete' }>;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service whose kinds declare no data. */
    data?: DataPart;
  }
}
