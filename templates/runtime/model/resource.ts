import type { JsonObject } from './schema';

/** Metadata of a resource (specification, "Metadata"), and members added by svcgen. */
export interface Metadata {
  name: string;
  /** The beginning of a generated name, as the client has sent it; only of kinds with unique names. */
  generateName?: string;
  uid: string;
  /** RFC 3339, milliseconds, UTC. */
  createdAt: string;
  updatedAt: string;
  /** The time of a deletion that waits for finalizers: RFC 3339, seconds, UTC. */
  deletionTimestamp?: string;
  /** 1 on create, incremented by each write that changes the spec. */
  generation: number;
  /** Names that hold up a deletion until they are removed; only in services for Kubernetes clients, as owner references. */
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
}

/** A resource that this one depends on (Kubernetes, "Owners and dependents"). It may be in another service. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** At most one owner is the controller. */
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The envelope of every resource (specification, "Envelope"). */
export interface Resource<Spec = JsonObject, Status = JsonObject> {
  /** `<group>/<version>` */
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec: Spec;
  /** Omitted when empty. */
  status?: Status;
}

/** A resource as a client writes it: members that the service sets or defaults are optional. */
export interface ResourceInput<Spec = object, Status = object> {
  apiVersion?: string;
  kind?: string;
  metadata?: Partial<
    Pick<Metadata, 'name' | 'generateName' | 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'>
  >;
  spec: Spec;
  /** Written by the status endpoints alone. */
  status?: Status;
}

/** The type of a member that every object inherits, such as `toString`. */
export type Inherited<Name extends keyof typeof Object.prototype> = (typeof Object.prototype)[Name];

/** A copy of the spec after one write (specification, "Version snapshot"). */
export interface Snapshot<Spec = JsonObject> {
  versionId: string;
  createdAt: string;
  uid: string;
  name: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  /** The caller who wrote, if middleware has set one. */
  actor?: string;
  spec: Spec;
}

/** Returns whether a string has the form of a uid. Other strings are never looked up. */
export function isUid(text: string): boolean {
  return /^[a-z]{3}-[0-9a-f]{16}$/.test(text);
}

const UPDATED_AT = '"updatedAt":"';

/**
 * Returns the modification time of a stored resource in milliseconds since 1970. It is read from the JSON text without
 * parsing: within a string every quote is escaped, and only client-owned maps come after `updatedAt`.
 */
export function modifiedAt(text: string): number {
  const start = text.indexOf(UPDATED_AT) + UPDATED_AT.length;
  return Date.parse(text.slice(start, text.indexOf('"', start)));
}
