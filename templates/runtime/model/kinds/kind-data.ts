/** The type of a value that can be selected, compared and sorted. */
export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'timestamp';

/** A field that lists can be selected and sorted by, as one version names it. */
export interface SelectableField {
  /** Its path in a resource of that version, such as `['spec', 'price']`. */
  path: readonly string[];
  type: ScalarType;
  /** Set for a list of such values. */
  isList?: true;
  /**
   * The index with its entries, which are made of what its version shows. Each version has its own, even for a field that it
   * copies: it may show a value preserved under an earlier hub or earlier rules. Its name is the same whatever the storage
   * version is, since processes with different ones share a database during a rolling update.
   */
  index: string;
  /** The reference of the hub that it shows, as a dotted path; set in other versions alone. */
  reference?: string;
}

/** Effect of a deletion on a resource that refers to the deleted one. */
export type OnDelete = 'restrict' | 'cascade' | 'clear';

/** A field of the hub that names resources. */
export interface ReferenceField {
  path: readonly string[];
  /** The kind of the targets, in the same group. */
  kind: string;
  onDelete: OnDelete;
  /** Set for a list of references. */
  isList?: true;
}

/** The declarations of a kind about names, fields and references, as `project.yaml` has them. Each member is optional. */
export interface KindData {
  /** Set for `names: unique`. */
  uniqueNames?: true;
  /** Set where stored names must have the form of new ones: Kubernetes clients know resources by their names alone. */
  strictNames?: true;
  /** Set for a kind that references point to. */
  isReferable?: true;
  /** By version, those of metadata left out. A version in which no field is selectable is absent. */
  selectable?: { readonly [version: string]: readonly SelectableField[] };
  /** Paths of the hub whose values are unique within the kind. */
  unique?: readonly (readonly string[])[];
  /** Paths of the hub whose values cannot change once they are set. */
  immutable?: readonly (readonly string[])[];
  references?: readonly ReferenceField[];
}
