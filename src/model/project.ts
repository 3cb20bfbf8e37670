/** The project as svcgen understands it: plain data, complete, checked. Nothing here is optional by accident. */

import type { OnDelete } from '../../templates/runtime/model/kinds/kind-data';
import type { Json } from '../../templates/runtime/model/schema';
import type { OptionalPart } from './optional-parts';

export type { OnDelete } from '../../templates/runtime/model/kinds/kind-data';
export type { Json, JsonObject } from '../../templates/runtime/model/schema';

/** The treatment of failed field rules (specification, "What the service does" 4). */
export type ValidationMode = 'strict' | 'warn' | 'disabled';

/** A kind of database that a service can keep its resources in. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** A whole project.yaml, defaults filled in. */
export interface Project {
  name: string;
  validation: ValidationMode;
  events: boolean;
  /** True where events can be published to NATS. */
  nats: boolean;
  /** True for a service with a console for people. */
  console: boolean;
  /** True for a service that Kubernetes clients can use. */
  kubernetes: boolean;
  /** The kinds of databases that DATABASE_URL may name. */
  databases: DatabaseKind[];
  /** The parts of the service that it may do without. */
  parts: { [part in OptionalPart]: boolean };
  requireIfMatch: boolean;
  /** The header Cache-Control of GET responses. */
  cacheControl: string;
  /** The description of the API as a whole in the OpenAPI document. */
  info: ApiInfo;
  /** The ways in which callers identify themselves, any one of which suffices; none where nothing is asked of them. */
  security: SecurityScheme[];
  groups: Group[];
}

/** A way in which callers identify themselves. */
export type SecurityScheme = { type: 'bearer' } | { type: 'apiKey'; header: string };

/** The API as a whole, for its users (OpenAPI 3.1, "Info Object"). */
export interface ApiInfo {
  title: string;
  /** Markdown, before svcgen's own introduction; empty for none. */
  description: string;
  /** The version of the API's release; the API versions of a group are something else. */
  version: string;
  contact: { name?: string; url?: string; email?: string };
  license: { name: string; identifier?: string; url?: string };
}

/** An API group: one hub version and its spokes (specification, "Version model"). */
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
  /** A note to people, on one line. */
  note?: string;
}

/** An object shape that fields refer to by name. */
export interface SharedType {
  name: string;
  /** Unique in the project: its own name, with the group before it if a type of an earlier group has the same. */
  publicName: string;
  fields: Field[];
}

/** A resource kind. */
export interface Kind {
  name: string;
  group: string;
  plural: string;
  /**
   * The start of the kind's names in `src/generated/index.ts`: its own name, with the group before it if a kind of an
   * earlier group has the same (`ShopExampleDevDevice`).
   */
  publicName: string;
  /** For the users of the API; empty for none. */
  description: string;
  /** Three lowercase letters, the start of every uid. */
  uidPrefix: string;
  /** True where the service notes the owners of fields, for `kubernetes: true`. */
  ownedFields: boolean;
  /** True for `names: unique`. */
  uniqueNames: boolean;
  /** True for a kind that references of its group point to. */
  isReferable: boolean;
  /** Spec version history; `keep` is the number of snapshots kept, undefined for all. */
  history: { keep?: number } | undefined;
  /** The columns of tables of its resources, besides name, uid, age and generation. */
  columns: Column[];
  /** In the order of the group's versions; a kind need not have all of them. */
  versions: KindVersion[];
}

/** A column of a table of resources (Kubernetes, "Additional printer columns"). */
export interface Column {
  /** A field of the storage version, such as `spec.location`. */
  path: string;
  title: string;
  type: ColumnType;
  /** True for a column of wide tables only. */
  wide: boolean;
}

/** The type of a column's values, in Kubernetes' words. A date is shown as an age. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'date';

/** The fields of a kind in one version. */
export interface KindVersion {
  version: string;
  spec: Field[];
  status: Field[];
  /** The rules of a spoke as they stand in project.yaml. */
  conversion: Json[];
  /** The fields with declarations besides their type and rules, in the order of the file. */
  declared: DeclaredField[];
}

/** The declarations of a field about its data. */
export interface Declarations {
  selectable?: true;
  unique?: true;
  immutable?: true;
  /** For a list, that of its elements. */
  ref?: Reference;
}

/** A field that names a resource of its group. */
export interface Reference {
  kind: string;
  onDelete: OnDelete;
}

/** A field of a version with declarations. */
export interface DeclaredField extends Declarations {
  /** Such as `['spec', 'price']`. */
  path: string[];
  /** The type of its values; of the elements, for a list. */
  type: FieldType['kind'];
  isList: boolean;
}

/** The type of a value, and the rules for it. */
export interface Shape {
  type: FieldType;
  rules: Rules;
}

/** A field of an object. */
export interface Field extends Shape {
  name: string;
  required: boolean;
  /** Undefined where the field has none. */
  default: Json | undefined;
  /** Empty where the field has none. */
  description: string;
}

/** An element of a list or a value of a map: a field without name, default and `required`. */
export interface Element extends Shape {
  description: string;
}

/** The type of a field. */
export type FieldType =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'any' }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'list'; items: Element; key: string | undefined }
  | { kind: 'map'; values: Element }
  | { kind: 'ref'; name: string };

/** The declared rules of a field (specification, "Kind-specific spec and status"), without `required`. */
export interface Rules {
  min?: number;
  max?: number;
  gt?: number;
  lt?: number;
  format?: 'email' | 'url' | 'ip';
  oneof?: (string | number)[];
  pattern?: string;
}
