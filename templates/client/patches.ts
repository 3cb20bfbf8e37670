/** A patch of a document of type `T`: its media type and its body. */
export interface Patch<in T> {
  readonly type: string;
  readonly value: unknown;
  /** Always absent: it lets the compiler check the type of the patched document. */
  readonly appliesTo?: (document: T) => void;
}

/** Members to set; null removes one. Lists are replaced as a whole. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<Exclude<T[K], Inherited<K>>> | Inherited<K> | null }
    : T;

/** The member that every object inherits under a name: a patch without the member has that one. */
type Inherited<Name> = Name extends keyof typeof Object.prototype ? (typeof Object.prototype)[Name] : never;

/** One operation (RFC 6902); `path` and `from` are JSON Pointers from the root, such as `/spec/name`. */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; path: string; from: string };

/** Makes a JSON Merge Patch (RFC 7396): members are merged into the document, null removes one. */
export function mergePatch<T>(document: MergePatch<NoInfer<T>>): Patch<T> {
  return { type: 'application/merge-patch+json', value: document };
}

/** Makes a JSON Patch (RFC 6902): all of the operations in order, or none. */
export function jsonPatch(operations: JsonPatchOperation[]): Patch<unknown> {
  return { type: 'application/json-patch+json', value: operations };
}

/**
 * Makes a patch of values by dotted paths from the root, such as `{ 'spec.name': 'lamp' }`; null removes, `\.` is a dot
 * in a name.
 */
export function shorthand(paths: { [path: string]: unknown }): Patch<unknown> {
  return { type: 'application/shorthand-patch+json', value: paths };
}
