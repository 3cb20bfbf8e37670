import type { Resource, ResourceInput } from '../runtime/resource';
import type { CallOptions, Connection } from './connection';
import { conditionOf, withEtag } from './etag';
import { pagesOf, queryOf, type ListQuery } from './listing';
import type { Patch } from './patches';
import { readModifyWrite, type UpdateOptions } from './update';

/** What every write of a resource takes. */
export interface WriteOptions extends CallOptions {
  /**
   * Write only if the resource is still as it was read: what `get` or a write returned, or an ETag. Else 412.
   */
  ifMatch?: object | string;
}

/** What a read of one resource takes. */
export interface GetOptions<R> extends CallOptions {
  /** A resource read before; it is given back if it is still current, without being sent again. */
  cached?: R;
}

/** What a patch of a resource can change. */
export interface Editable<R extends Resource<object, object>> {
  metadata: NonNullable<ResourceInput['metadata']>;
  spec: R['spec'];
}

const JSON_TYPE = 'application/json';

/** The resources of a kind in one API version; every call speaks this version. */
export class Collection<
  R extends Resource<object, object>,
  Input extends ResourceInput = ResourceInput<R['spec'], NonNullable<R['status']>>,
> {
  readonly #connection: Connection;
  readonly #path: string;

  /** `address` is `<group>/<version>/<plural>`. */
  constructor(connection: Connection, address: string) {
    this.#connection = connection;
    this.#path = `/apis/${address}`;
  }

  /** Creates a resource; the service gives it its uid. */
  async create(input: Omit<Input, 'status'>, options: WriteOptions = {}): Promise<R> {
    return this.#write('POST', this.#path, { type: JSON_TYPE, value: input }, options);
  }

  /** All resources, or those that the query selects, in order of creation. */
  async list(query: ListQuery = {}, options: CallOptions = {}): Promise<R[]> {
    const path = this.#path + queryOf(query);
    return (await this.#connection.send<R[]>({ method: 'GET', path }, options)).value;
  }

  /** The same, page by page: what exists throughout is seen exactly once. */
  pages(query: ListQuery & { limit?: number } = {}, options: CallOptions = {}): AsyncGenerator<R[], void> {
    return pagesOf<R>(this.#connection, this.#path, query, options);
  }

  /** The same, one by one, read in pages of `limit`. */
  async *items(
    query: ListQuery & { limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<R, void> {
    for await (const page of this.pages(query, options)) yield* page;
  }

  /** One resource. */
  async get(uid: string, { cached, ...options }: GetOptions<R> = {}): Promise<R> {
    const headers = { 'If-None-Match': conditionOf(cached) };
    const call = { method: 'GET', path: this.pathOf(uid), headers } as const;
    const answer = await this.#connection.send<R>(call, options);
    return answer.status === 304 && cached !== undefined ? cached : withEtag(answer.value, answer.headers);
  }

  /** Replaces the spec; `metadata.name`, `labels` and `annotations` are replaced where they are given. */
  async replace(uid: string, input: Omit<Input, 'status'>, options: WriteOptions = {}): Promise<R> {
    return this.#write('PUT', this.pathOf(uid), { type: JSON_TYPE, value: input }, options);
  }

  /** Applies a patch to the resource; the status and what else the service owns stay as they are. */
  async patch(uid: string, patch: Patch<Editable<R>>, options: WriteOptions = {}): Promise<R> {
    return this.#write('PATCH', this.pathOf(uid), patch, options);
  }

  /** Deletes the resource, with its snapshots. */
  async delete(uid: string, { ifMatch, ...options }: WriteOptions = {}): Promise<void> {
    const headers = { 'If-Match': conditionOf(ifMatch) };
    await this.#connection.send({ method: 'DELETE', path: this.pathOf(uid), headers }, options);
  }

  /** Replaces the status; the spec stays. */
  async replaceStatus(
    uid: string,
    status: NonNullable<Input['status']>,
    options: WriteOptions = {},
  ): Promise<R> {
    return this.#write('PUT', this.pathOf(uid, 'status'), { type: JSON_TYPE, value: { status } }, options);
  }

  /** Applies a patch to the status, as `{ status: { … } }`; the rest stays. */
  async patchStatus(uid: string, patch: Patch<Pick<R, 'status'>>, options: WriteOptions = {}): Promise<R> {
    return this.#write('PATCH', this.pathOf(uid, 'status'), patch, options);
  }

  /**
   * Reads the resource, lets `change` edit name, labels, annotations and spec, and writes it, if nobody else
   * has in between; else again, from the start. `change` may therefore be called several times. When it changes
   * nothing, nothing is written.
   */
  async update(uid: string, change: (draft: R) => unknown, options: UpdateOptions = {}): Promise<R> {
    const write = ({ metadata, spec }: R, ifMatch: R, call: CallOptions): Promise<R> => {
      const { name, labels = {}, annotations = {} } = metadata;
      const value = { metadata: { name, labels, annotations }, spec };
      return this.#write('PUT', this.pathOf(uid), { type: JSON_TYPE, value }, { ...call, ifMatch });
    };
    return readModifyWrite((call) => this.get(uid, call), change, write, options);
  }

  /** The same for the status: `change` edits it, the spec stays. */
  async updateStatus(
    uid: string,
    change: (status: NonNullable<R['status']>) => unknown,
    options: UpdateOptions = {},
  ): Promise<R> {
    const edit = async (draft: R): Promise<void> => {
      const status = (draft.status ?? {}) as NonNullable<R['status']>;
      await change(status);
      if (Object.keys(status).length > 0) draft.status = status;
    };
    const write = ({ status = {} }: R, ifMatch: R, call: CallOptions): Promise<R> => {
      const body = { type: JSON_TYPE, value: { status } };
      return this.#write('PUT', this.pathOf(uid, 'status'), body, { ...call, ifMatch });
    };
    return readModifyWrite((call) => this.get(uid, call), edit, write, options);
  }

  /** The path of a resource, or of what is below it. Throws TypeError for what would be another path. */
  protected pathOf(uid: string, ...below: string[]): string {
    const names = [uid, ...below];
    if (names.some((name) => /^\.{0,2}$/.test(name)))
      throw new TypeError(`${JSON.stringify(uid)} names no resource`);
    return [this.#path, ...names.map(encodeURIComponent)].join('/');
  }

  async #write(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    { type, value }: { type: string; value: unknown },
    { ifMatch, ...options }: WriteOptions,
  ): Promise<R> {
    const headers = { 'If-Match': conditionOf(ifMatch) };
    const answer = await this.#connection.send<R>({ method, path, headers, body: { type, value } }, options);
    return withEtag(answer.value, answer.headers);
  }
}
