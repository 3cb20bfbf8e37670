import type { JsonObject } from './schema';

/** Metadata of a resource (requirement, "Metadata"; `generation` from the contract). */
export interface Metadata {
  name: string;
  uid: string;
  /** RFC 3339, milliseconds, UTC. */
  createdAt: string;
  updatedAt: string;
  /** 1 on create, one more for each write that changes the spec. */
  generation: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
}

/** The envelope of every resource (requirement, "Envelope"). */
export interface Resource<Spec = JsonObject, Status = JsonObject> {
  /** `<group>/<version>` */
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec: Spec;
  /** Omitted when empty. */
  status?: Status;
}

/** A resource as a client writes it: what the service sets or fills in may be left out. */
export interface ResourceInput<Spec = object, Status = object> {
  apiVersion?: string;
  kind?: string;
  metadata?: Partial<Pick<Metadata, 'name' | 'labels' | 'annotations'>>;
  spec: Spec;
  /** Written by the status endpoints alone. */
  status?: Status;
}

/** A copy of the spec as one write left it (requirement, "Version snapshot"). */
export interface Snapshot<Spec = JsonObject> {
  versionId: string;
  createdAt: string;
  uid: string;
  name: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  spec: Spec;
}

/** Whether a text has the shape of a uid; what has not is never looked up. */
export function isUid(text: string): boolean {
  return /^[a-z]{3}-[0-9a-f]{16}$/.test(text);
}

const UPDATED_AT = '"updatedAt":"';

/**
 * The modification time of a stored resource in milliseconds since 1970, read from its JSON text without
 * parsing it: within a string every quote is escaped, and only client-owned maps come after `updatedAt`.
 */
export function modifiedAt(text: string): number {
  const start = text.indexOf(UPDATED_AT) + UPDATED_AT.length;
  return Date.parse(text.slice(start, text.indexOf('"', start)));
}
