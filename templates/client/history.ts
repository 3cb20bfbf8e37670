import type { Resource, ResourceInput, Snapshot } from '../runtime/model/resource';
import { Collection } from './collection';
import type { CallOptions, Connection } from './connection';
import { type DryRunOptions, written } from './dry-run';
import { type KindFields, type NoFields, PAGE_SIZE, pagesOf, queryOf, type SelectorOf } from './listing';

/** The resources of a kind with spec version history. */
export class HistoryCollection<
  R extends Resource<object, object>,
  Input extends ResourceInput = ResourceInput<R['spec'], NonNullable<R['status']>>,
  Fields extends KindFields = NoFields,
> extends Collection<R, Input, Fields> {
  /** The snapshots of each resource. */
  readonly versions: Snapshots<R['spec']>;

  constructor(connection: Connection, address: string, selectorOf?: SelectorOf) {
    super(connection, address, selectorOf);
    this.versions = new Snapshots(connection, (uid, ...below) => this.pathOf(uid, 'versions', ...below));
  }
}

/** Pages of snapshots. */
export interface SnapshotPages {
  /** Maximum number of snapshots in a page; large ones make shorter pages. */
  limit?: number | undefined;
  /** Oldest first is `createdAt`, the default, and newest first `-createdAt`. */
  sort?: 'createdAt' | '-createdAt' | undefined;
}

/** The snapshots that the writes of a spec record; they never change. */
export class Snapshots<Spec> {
  readonly #connection: Connection;
  readonly #pathOf: (uid: string, ...versionId: string[]) => string;

  constructor(connection: Connection, pathOf: (uid: string, ...versionId: string[]) => string) {
    this.#connection = connection;
    this.#pathOf = pathOf;
  }

  /** Returns all stored snapshots of a resource, oldest first. */
  async list(uid: string, options?: CallOptions): Promise<Snapshot<Spec>[]> {
    const call = { method: 'GET', path: this.#pathOf(uid) } as const;
    return (await this.#connection.send<Snapshot<Spec>[]>(call, options)).value;
  }

  /** Yields them page by page, each read on demand. */
  pages(
    uid: string,
    { limit = PAGE_SIZE, sort }: SnapshotPages = {},
    options: CallOptions = {},
  ): AsyncGenerator<Snapshot<Spec>[], void> {
    return pagesOf(this.#connection, this.#pathOf(uid), queryOf({ sort }, undefined, limit), options);
  }

  /** Returns one of them. */
  async get(uid: string, versionId: string, options?: CallOptions): Promise<Snapshot<Spec>> {
    const call = { method: 'GET', path: this.#pathOf(uid, versionId) } as const;
    return (await this.#connection.send<Snapshot<Spec>>(call, options)).value;
  }

  /** Deletes one of them. */
  async delete(
    uid: string,
    versionId: string,
    { dryRun, ...options }: CallOptions & DryRunOptions = {},
  ): Promise<void> {
    const path = written(this.#pathOf(uid, versionId), { dryRun });
    await this.#connection.send({ method: 'DELETE', path }, options);
  }
}
