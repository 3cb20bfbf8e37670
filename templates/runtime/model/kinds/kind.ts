import type { Request } from 'express';
import type { Shape } from '../fields/shape';
import type { Resource } from '../resource';
import type { Schema } from '../schema';
import type { Part, VersioningOf } from '../versions/versioning-of';
import type { KindData } from './kind-data';
import type { ResourceReader } from './reader';

/** An error that an ajv validator compiled by svcgen has after it returned false. */
export interface ValidatorError {
  keyword: string;
  instancePath: string;
  params: { [name: string]: unknown };
}

/** A validator compiled at generate time. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ValidatorError[] | null;
}

/** The fields of a kind in one version, as data. The folder `versions` declares further members, for kinds with several. */
export interface KindVersion {
  spec: Schema;
  status: Schema;
  /** The shared types that the two refer to. */
  types: { [name: string]: Schema };
  validateSpec: Validator;
  validateStatus: Validator;
}

/** A resource kind, as data. */
export interface KindDefinition {
  group: string;
  kind: string;
  plural: string;
  /** Three lowercase letters, the start of every uid. */
  uidPrefix: string;
  /** The hub: what is stored. */
  storageVersion: string;
  /** Every version of `versions`, the storage version first. */
  servedVersions: readonly string[];
  /** Spec version history; `keep` bounds the number of snapshots. */
  history?: { keep?: number };
  versions: { [version: string]: KindVersion };
  hooks: KindHooks;
  /** Converts between versions; absent for a kind with one. */
  versioning?: VersioningOf<KindDefinition>;
  /** Its declarations about names, fields and references; absent where it has none. */
  data?: KindData;
}

/** Returns the field rules of a part of a kind's resources in a version. */
export function partShape({ versions }: KindDefinition, version: string, part: Part): Shape {
  const { [part]: schema, types } = versions[version];
  return { schema, types };
}

/** The name of a kind's collection in the store. */
export function collectionOf({ group, kind }: KindDefinition): string {
  return `${group}/${kind}`;
}

/** The deprecation of a version, and its removal if known: dates, or date-times of RFC 3339. */
export interface Deprecation {
  since: string;
  sunset?: string;
  note?: string;
}

/** An API group of the service. */
export interface GroupDefinition {
  name: string;
  storageVersion: string;
  versions: string[];
  /** Deprecated versions, by name; absent where there are none. */
  deprecations?: { [version: string]: Deprecation };
  /** The versions of each kind. */
  kinds: { [kind: string]: string[] };
}

/** A failure that a user's own check reports. */
export interface CustomFailure {
  /** JSON Pointer into the resource, such as `/spec/price`; the whole resource when absent. */
  pointer?: string;
  detail: string;
}

/** Second argument of a custom check: the operation, and the caller's view of other resources. */
export interface ValidationContext<R> extends ResourceReader {
  operation: 'create' | 'update';
  /** The stored resource, for an update. */
  current?: R;
  request: Request;
  /** True in a dry run (`?dryRun=true`): nothing will be written, so the check must have no side effects. */
  dryRun?: boolean;
}

/** The decision of a policy (specification, "Authentication" 4). */
export interface Decision {
  allowed: boolean;
  reason?: string;
}

/**
 * The argument of a policy method: the request, and the stored resource. There is no resource for a list, a create and
 * an unknown uid, so that refused callers do not learn which uids exist.
 */
export interface PolicyContext<R> {
  request: Request;
  resource?: R;
  /** True in a dry run (`?dryRun=true`): nothing will be written. */
  dryRun?: boolean;
}

type Ask<R> = (context: PolicyContext<R>) => Decision | Promise<Decision>;

/** Authorization of the operations on a kind. A missing method allows everybody. */
export interface PolicyMethods<R> {
  canList?: Ask<R>;
  canGet?: Ask<R>;
  canCreate?: Ask<R>;
  canUpdate?: Ask<R>;
  canDelete?: Ask<R>;
  canUpdateStatus?: Ask<R>;
  /**
   * Called without a resource before dead letters are listed or resent, in addition to `canList` and `canGet`. Once any
   * kind has a policy, dead letters of a kind are refused unless this method allows them.
   */
  canManageDeadLetters?: Ask<R>;
}

/** The policy of a kind. Its methods may also be spelled as in the specification: `CanUpdateStatus`. */
export type Policy<R> = PolicyMethods<R> & {
  [name in keyof PolicyMethods<R> as Capitalize<name>]?: PolicyMethods<R>[name];
};

/** Exports that a kind's file in src/kinds may have, besides the functions of rules `custom`. */
export interface KindHooks<R = Resource> {
  /** Checks beyond the field rules. Returns the failures; nothing, or an empty list, if the resource is valid. */
  validate?(
    resource: R,
    context: ValidationContext<R>,
  ): void | CustomFailure[] | Promise<void | CustomFailure[]>;
  /** Operations that run `validate`: only `create` by default. */
  validateOn?: readonly ('create' | 'update')[];
  policy?: Policy<R>;
  [conversion: string]: unknown;
}

/**
 * Returns a kind's own exports, checked against its type. The runtime calls them only with resources of that kind, so
 * their parameter type can be dropped.
 */
export function hooksOf<R>(hooks: KindHooks<R>): KindHooks {
  return hooks as unknown as KindHooks;
}
