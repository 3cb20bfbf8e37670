import type { Resource } from '../resource';

/** Options of a read. */
export interface ReadOptions {
  /**
   * An API version such as `v1`; by default the one that the caller speaks. A kind without it is returned in its
   * storage version.
   */
  version?: string;
}

/** A query for a reader's `list`. */
export interface ReadQuery extends ReadOptions {
  /** The grammar of a list's `labelSelector`, such as `env=prod,tier!=db`. */
  labelSelector?: string;
  /** The grammar of a list's `fieldSelector`, such as `spec.price>=10`, in the words of the version that is returned. */
  fieldSelector?: string;
  /** The order, such as `-spec.price`; that of creation by default. */
  sort?: string;
  /** Maximum number of resources; MAX_PAGE_SIZE by default. */
  limit?: number;
}

/**
 * Reads resources on behalf of a caller: those within the caller's label scope. Policies are not asked. A kind is named by its
 * name, such as `Supplier`, or as `<group>/<Kind>` for one of another group; an unknown one is an Error.
 */
export interface ResourceReader {
  /**
   * Returns the resource of a kind with this uid, or with this name in a kind with `names: unique`; undefined if the caller has
   * none.
   */
  get<R = Resource>(kind: string, uidOrName: string, options?: ReadOptions): Promise<R | undefined>;
  /** Returns resources of a kind, in order of creation by default. Throws HttpProblem 400 for a malformed query. */
  list<R = Resource>(kind: string, query?: ReadQuery): Promise<R[]>;
}
