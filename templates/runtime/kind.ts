import type { Request } from 'express';
import type { SpokeConverter } from './conversion/converter';
import type { Metadata, Resource } from './resource';
import type { JsonObject, Schema } from './schema';

/** What an ajv validator compiled by svcgen leaves on itself after it returned false. */
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

/** The fields of a kind in one version, as data. */
export interface KindVersion {
  spec: Schema;
  status: Schema;
  /** The shared types that the two refer to. */
  types: { [name: string]: Schema };
  validateSpec: Validator;
  validateStatus: Validator;
  /** Between the hub and this version; absent for the hub. */
  converter?: SpokeConverter;
}

/** A resource kind, as data: what the runtime needs to serve it. */
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
}

/** The name of a kind's collection in the store. */
export function collectionOf({ group, kind }: KindDefinition): string {
  return `${group}/${kind}`;
}

/** Since when a version is deprecated and until when it is served: dates, or date-times of RFC 3339. */
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
  /** The versions that are on their way out, by name; absent where there are none. */
  deprecations?: { [version: string]: Deprecation };
  /** The versions of each kind. */
  kinds: { [kind: string]: string[] };
}

/** The whole service, as data. */
export interface ServiceDefinition {
  name: string;
  /** How failed field rules are answered (requirement, "What the service does" 4). */
  validation: 'strict' | 'warn' | 'disabled';
  /** Whether changes are published as CloudEvents. */
  events: boolean;
  /** Whether PUT, PATCH and DELETE without If-Match are answered 428. */
  requireIfMatch: boolean;
  /** Sent with GET; empty for no header. */
  cacheControl: string;
  groups: GroupDefinition[];
}

/** A failure that a user's own check reports. */
export interface CustomFailure {
  /** JSON Pointer into the resource, such as `/spec/price`; the whole resource when absent. */
  pointer?: string;
  detail: string;
}

/** What a user's check is told beside the resource. */
export interface ValidationContext<R> {
  operation: 'create' | 'update';
  /** The stored resource, for an update. */
  current?: R;
  request: Request;
}

/** The answer of a policy (requirement, "Authentication" 4). */
export interface Decision {
  allowed: boolean;
  reason?: string;
}

/**
 * What a policy is asked with: the request, and the stored resource. There is none for a list, a create, and a uid that
 * is not known: who is not allowed to ask is not told which are.
 */
export interface PolicyContext<R> {
  request: Request;
  resource?: R;
}

type Ask<R> = (context: PolicyContext<R>) => Decision | Promise<Decision>;

/** Who may do what with a kind; a method that is absent allows everybody. */
export interface Policy<R> {
  canList?: Ask<R>;
  canGet?: Ask<R>;
  canCreate?: Ask<R>;
  canUpdate?: Ask<R>;
  canDelete?: Ask<R>;
  canUpdateStatus?: Ask<R>;
}

/** What a kind's own file in src/kinds may export. */
export interface KindHooks<R = Resource<JsonObject, JsonObject>> {
  /** Checks beyond the field rules. It returns what is wrong; nothing, or an empty list, means valid. */
  validate?(
    resource: R,
    context: ValidationContext<R>,
  ): void | CustomFailure[] | Promise<void | CustomFailure[]>;
  /** When validate runs: on create alone unless `update` is named here. */
  validateOn?: readonly ('create' | 'update')[];
  policy?: Policy<R>;
  [helper: string]: unknown;
}

/**
 * A kind's own exports, checked against its type. The runtime hands them resources of that kind alone, which is
 * why they may be called with any.
 */
export function hooksOf<R>(hooks: KindHooks<R>): KindHooks {
  return hooks as unknown as KindHooks;
}

export type { Metadata, Resource };
