import { ApiError } from '../client/errors';
import { isUid, type Resource } from '../runtime/model/resource';
import { CommandFailure, type CtlCollection, type CtlKind } from './definition';

/** Maximum number of uids in the message about a name. */
const MOST_NAMED = 20;

/** Returns whether paths accept a unique name. A stored name of another form is not, nor what a document has for none. */
export function isInPaths(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z0-9][a-z0-9.-]*$/.test(name);
}

/** Finds resources by name. Names need not be unique. */
export class NamedResources {
  readonly #uids = new Map<CtlKind, Map<string, string[]>>();

  /**
   * Returns the uid of the resource that a user means by its uid or its name. Throws CommandFailure where none or several
   * have the name.
   */
  async resolve(kind: CtlKind, collection: CtlCollection, text: string): Promise<string> {
    if (isUid(text)) return text;
    const uid = await this.uidOf(kind, collection, text);
    if (uid === undefined) throw new CommandFailure(`no ${kind.plural} are called ${JSON.stringify(text)}`);
    return uid;
  }

  /**
   * Returns the uid of the resource with this name; undefined where there is none, or no name. Paths have unique names;
   * otherwise all resources of the kind are read, once. Throws CommandFailure where several have the name.
   */
  async uidOf(
    kind: CtlKind,
    collection: CtlCollection,
    name: string | undefined,
  ): Promise<string | undefined> {
    if (name === undefined) return undefined;
    if (kind.uniqueNames === true && isInPaths(name)) return uidOfName(collection, name);
    if (!this.#uids.has(kind)) {
      this.#uids.set(kind, new Map());
      for await (const resource of collection.items()) this.add(kind, resource);
    }
    const [uid, ...others] = this.#uids.get(kind)!.get(name) ?? [];
    if (uid === undefined || others.length === 0) return uid;
    const found =
      [uid, ...others].slice(0, MOST_NAMED).join(', ') + (others.length < MOST_NAMED ? '' : ', …');
    throw new CommandFailure(
      `${others.length + 1} ${kind.plural} are called ${JSON.stringify(name)}: ${found}; choose one by its uid`,
    );
  }

  /** Reads the names of a kind again when they are next needed. */
  forget(kind: CtlKind): void {
    this.#uids.delete(kind);
  }

  /** Remembers a resource that exists. */
  add(kind: CtlKind, { metadata: { name, uid } }: Resource): void {
    const uids = this.#uids.get(kind);
    uids?.set(name, [...(uids.get(name) ?? []), uid]);
  }
}

async function uidOfName(collection: CtlCollection, name: string): Promise<string | undefined> {
  try {
    return (await collection.get(name)).metadata.uid;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
