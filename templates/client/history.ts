import type { Resource, ResourceInput, Snapshot } from '../runtime/resource';
import { Collection } from './collection';
import type { CallOptions, Connection } from './connection';

/** The resources of a kind that keeps a history of its specs. */
export class HistoryCollection<
  R extends Resource<object, object>,
  Input extends ResourceInput = ResourceInput<R['spec'], NonNullable<R['status']>>,
> extends Collection<R, Input> {
  /** The snapshots of each resource. */
  readonly versions: Snapshots<R['spec']>;

  constructor(connection: Connection, address: string) {
    super(connection, address);
    this.versions = new Snapshots(connection, (uid, ...below) => this.pathOf(uid, 'versions', ...below));
  }
}

/** The snapshots that each write of a spec leaves; they never change. */
export class Snapshots<Spec> {
  readonly #connection: Connection;
  readonly #pathOf: (uid: string, ...versionId: string[]) => string;

  constructor(connection: Connection, pathOf: (uid: string, ...versionId: string[]) => string) {
    this.#connection = connection;
    this.#pathOf = pathOf;
  }

  /** All that are kept of a resource, oldest first. */
  async list(uid: string, options?: CallOptions): Promise<Snapshot<Spec>[]> {
    const call = { method: 'GET', path: this.#pathOf(uid) } as const;
    return (await this.#connection.send<Snapshot<Spec>[]>(call, options)).value;
  }

  /** One of them. */
  async get(uid: string, versionId: string, options?: CallOptions): Promise<Snapshot<Spec>> {
    const call = { method: 'GET', path: this.#pathOf(uid, versionId) } as const;
    return (await this.#connection.send<Snapshot<Spec>>(call, options)).value;
  }

  /** Deletes one of them. */
  async delete(uid: string, versionId: string, options?: CallOptions): Promise<void> {
    await this.#connection.send({ method: 'DELETE', path: this.#pathOf(uid, versionId) }, options);
  }
}
