/** The project as svcgen understands it: plain data, complete, checked. Nothing here is optional by accident. */

/** A value that JSON can express. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How a failed field rule is answered (requirement, "What the service does" 4). */
export type ValidationMode = 'strict' | 'warn' | 'disabled';

/** A whole project.yaml, defaults filled in. */
export interface Project {
  name: string;
  validation: ValidationMode;
  events: boolean;
  requireIfMatch: boolean;
  /** The Cache-Control header sent with GET; empty for none. */
  cacheControl: string;
  groups: Group[];
}

/** An API group: one hub version and its spokes (requirement, "Version model"). */
export interface Group {
  name: string;
  storageVersion: string;
  /** Most stable and newest first: v2, v1, v2beta1, v1alpha2. */
  versions: string[];
  /** The versions that are on their way out, by name. */
  deprecations: { [version: string]: Deprecation };
  /** Shared object shapes by name, in the order of the file, those of imports first. */
  types: SharedType[];
  kinds: Kind[];
}

/** Since when a version is deprecated, and until when it is served: dates, or date-times of RFC 3339, as they are written. */
export interface Deprecation {
  since: string;
  sunset?: string;
  /** What people are told beside it, on one line. */
  note?: string;
}

/** An object shape that fields refer to by name. */
export interface SharedType {
  name: string;
  fields: Field[];
}

/** A resource kind. */
export interface Kind {
  name: string;
  group: string;
  plural: string;
  /** Three lowercase letters, the start of every uid. */
  uidPrefix: string;
  /** Spec version history; `keep` is the number of snapshots kept, undefined for all. */
  history: { keep?: number } | undefined;
  /** In the order of the group's versions; a kind need not have all of them. */
  versions: KindVersion[];
}

/** The fields of a kind in one version. */
export interface KindVersion {
  version: string;
  spec: Field[];
  status: Field[];
  /** The rules of a spoke as they stand in project.yaml (conversion.md). */
  conversion: Json[];
}

/** A field of an object. */
export interface Field {
  name: string;
  type: FieldType;
  rules: Rules;
  required: boolean;
  /** Undefined where the field has none. */
  default: Json | undefined;
  /** Empty where the field has none. */
  description: string;
}

/** An element of a list or a value of a map: a field without name, default and `required`. */
export interface Element {
  type: FieldType;
  rules: Rules;
  description: string;
}

/** The type of a field. */
export type FieldType =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'any' }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'list'; items: Element; key: string | undefined }
  | { kind: 'map'; values: Element }
  | { kind: 'ref'; name: string };

/** The rules of the requirement's table that a field declares, `required` apart. */
export interface Rules {
  min?: number;
  max?: number;
  gt?: number;
  lt?: number;
  format?: 'email' | 'url' | 'ip';
  oneof?: (string | number)[];
  pattern?: string;
}
