import type { Collection } from '../client/collection';
import type { Resource } from '../runtime/resource';
import { UsageError, type CtlKind } from './definition';

/** Finds resources by name, so that a file without uids can be applied again and again. Names need not be unique. */
export class NamedResources {
  readonly #uids = new Map<CtlKind, Map<string, string[]>>();

  /**
   * The uid of the resource with this name; undefined where there is none, or no name. All of its kind are read, once.
   * Throws UsageError where several have the name.
   */
  async uidOf(
    kind: CtlKind,
    collection: Collection<Resource>,
    name: string | undefined,
  ): Promise<string | undefined> {
    if (name === undefined) return undefined;
    if (!this.#uids.has(kind)) {
      this.#uids.set(kind, new Map());
      for await (const resource of collection.items()) this.add(kind, resource);
    }
    const [uid, ...others] = this.#uids.get(kind)!.get(name) ?? [];
    if (uid === undefined || others.length === 0) return uid;
    const found = [uid, ...others].slice(0, 5).join(', ');
    throw new UsageError(
      `${others.length + 1} ${kind.plural} are called ${JSON.stringify(name)}: ${found}; say which by metadata.uid`,
    );
  }

  /** Takes note of a resource that is there. */
  add(kind: CtlKind, { metadata: { name, uid } }: Resource): void {
    const uids = this.#uids.get(kind);
    uids?.set(name, [...(uids.get(name) ?? []), uid]);
  }
}
