import type { Resource, ResourceInput } from '../runtime/model/resource';
import type { CallOptions, Connection } from './connection';
import { type DryRunOptions, written } from './dry-run';
import { conditionOf, withEtag } from './etag';
import {
  type Expansion,
  type KindFields,
  type ListQuery,
  type NoFields,
  PAGE_SIZE,
  pagesOf,
  queryOf,
  type SelectorOf,
  type Shown,
} from './listing';
import type { Patch } from './patches';
import { readModifyWrite, type UpdateOptions } from './update';

/** Options of every write of a resource. */
export interface WriteOptions extends CallOptions, DryRunOptions {
  /** Write only if the resource is unchanged since `get` or a write returned it, or since this ETag. Otherwise 412. */
  ifMatch?: object | string;
}

/** Options of a replacement. */
export interface ReplaceOptions extends WriteOptions {
  /**
   * Create the resource with this name; only of kinds with unique names. 412 where it exists, 409 where it exists and is
   * not visible.
   */
  ifNoneMatch?: '*';
}

/** Options of a create. */
export interface CreateOptions extends Omit<WriteOptions, 'ifMatch'> {
  /**
   * A key of 1 to 255 visible ASCII characters, such as a random UUID. A repeat with the same key and the same input, for
   * instance after a time-out, returns the resource as it was created first, and creates nothing.
   */
  idempotencyKey?: string;
}

/** Options of a read of one resource. */
export interface GetOptions<R, Expanded = never> extends CallOptions, Expansion<Expanded> {
  /** A resource read before; it is returned if it is still current, without being sent again. */
  cached?: R | undefined;
}

/** The members of a resource that a patch can change. */
export interface Editable<R extends Resource<object, object>> {
  metadata: NonNullable<ResourceInput['metadata']>;
  spec: R['spec'];
}

/** The lists and maps of metadata that clients set, as they are sent where there are none. */
const EMPTY_METADATA = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };

/** Returns the metadata of a write, with those that were there before and are removed: what it left out would stay. */
export function withRemoved(metadata: object, before: object): { [member: string]: unknown } {
  const removed = Object.entries(EMPTY_METADATA).filter(([member]) => Object.hasOwn(before, member));
  return { ...Object.fromEntries(removed), ...metadata };
}

const JSON_TYPE = 'application/json';

/**
 * The resources of a kind in one API version, which every call speaks. In a kind with `names: unique`, the name of a resource
 * may replace its uid.
 */
export class Collection<
  R extends Resource<object, object>,
  Input extends ResourceInput = ResourceInput<R['spec'], NonNullable<R['status']>>,
  Fields extends KindFields = NoFields,
> {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #selectorOf: SelectorOf | undefined;

  /** `address` is `<group>/<version>/<plural>`; `selectorOf` is that of kinds with selectable fields. */
  constructor(connection: Connection, address: string, selectorOf?: SelectorOf) {
    this.#connection = connection;
    this.#path = `/apis/${address}`;
    this.#selectorOf = selectorOf;
  }

  /** Creates a resource; the service assigns its uid. */
  async create(
    input: Omit<Input, 'status'>,
    { idempotencyKey, headers, ...options }: CreateOptions = {},
  ): Promise<R> {
    const key = idempotencyKey === undefined ? undefined : quoted(idempotencyKey);
    const sent = { 'Idempotency-Key': key, ...headers };
    return this.#write('POST', this.#path, { type: JSON_TYPE, value: input }, { ...options, headers: sent });
  }

  /** Returns all resources, or those that the query selects, in its order or that of creation. */
  async list<E extends keyof Fields['expand'] = never>(
    query: ListQuery<Fields, E> = {},
    options: CallOptions = {},
  ): Promise<Shown<R, Fields, E>[]> {
    const path = this.#path + queryOf(query, this.#selectorOf);
    return (await this.#connection.send<Shown<R, Fields, E>[]>({ method: 'GET', path }, options)).value;
  }

  /** Yields them page by page: a resource that exists throughout, and keeps its place, is seen exactly once. */
  pages<E extends keyof Fields['expand'] = never>(
    { limit = PAGE_SIZE, ...query }: ListQuery<Fields, E> & { limit?: number | undefined } = {},
    options: CallOptions = {},
  ): AsyncGenerator<Shown<R, Fields, E>[], void> {
    return pagesOf(this.#connection, this.#path, queryOf(query, this.#selectorOf, limit), options);
  }

  /** Yields them one by one, read in pages of `limit`. */
  async *items<E extends keyof Fields['expand'] = never>(
    query: ListQuery<Fields, E> & { limit?: number | undefined } = {},
    options: CallOptions = {},
  ): AsyncGenerator<Shown<R, Fields, E>, void> {
    for await (const page of this.pages(query, options)) yield* page;
  }

  /** Returns one resource. With `expand`, it carries no ETag. */
  async get<E extends keyof Fields['expand'] = never>(
    uid: string,
    { cached, expand, ...options }: GetOptions<Shown<R, Fields, E>, E> = {},
  ): Promise<Shown<R, Fields, E>> {
    const headers = { 'If-None-Match': conditionOf(cached) };
    const call = { method: 'GET', path: this.pathOf(uid) + queryOf({ expand }), headers } as const;
    const answer = await this.#connection.send<Shown<R, Fields, E>>(call, options);
    return answer.status === 304 && cached !== undefined ? cached : withEtag(answer.value, answer.headers);
  }

  /** Replaces the spec; `metadata.name`, `labels` and `annotations` are replaced where they are present. */
  async replace(
    uid: string,
    input: Omit<Input, 'status'>,
    { ifNoneMatch, headers, ...options }: ReplaceOptions = {},
  ): Promise<R> {
    const sent = { 'If-None-Match': ifNoneMatch, ...headers };
    return this.#write(
      'PUT',
      this.pathOf(uid),
      { type: JSON_TYPE, value: input },
      { ...options, headers: sent },
    );
  }

  /** Applies a patch to the resource; the status and the other members that the service owns stay as they are. */
  async patch(uid: string, patch: Patch<Editable<R>>, options: WriteOptions = {}): Promise<R> {
    return this.#write('PATCH', this.pathOf(uid), patch, options);
  }

  /** Deletes the resource, with its snapshots. Returns it where its deletion waits for finalizers. */
  async delete(uid: string, { ifMatch, dryRun, ...options }: WriteOptions = {}): Promise<R | undefined> {
    const headers = { 'If-Match': conditionOf(ifMatch) };
    const path = written(this.pathOf(uid), { dryRun });
    const answer = await this.#connection.send<R | { message: string }>(
      { method: 'DELETE', path, headers },
      options,
    );
    return 'metadata' in answer.value ? withEtag(answer.value, answer.headers) : undefined;
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
   * Reads the resource, lets `change` edit its spec and the metadata that clients set, and writes it unless somebody else
   * has written in between; then it starts again. `change` may therefore be called several times. When it changes nothing,
   * nothing is written.
   */
  async update(uid: string, change: (draft: R) => unknown, options: UpdateOptions = {}): Promise<R> {
    const write = (draft: R, ifMatch: R, call: CallOptions & DryRunOptions): Promise<R> => {
      const { status: _, ...own } = draft;
      const value = { ...own, metadata: withRemoved(draft.metadata, ifMatch.metadata) };
      return this.#write('PUT', this.pathOf(uid), { type: JSON_TYPE, value }, { ...call, ifMatch });
    };
    return readModifyWrite((call) => this.get(uid, call), change, write, options);
  }

  /** Does the same for the status: `change` edits it, the spec stays. */
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
    const write = ({ status = {} }: R, ifMatch: R, call: CallOptions & DryRunOptions): Promise<R> => {
      const body = { type: JSON_TYPE, value: { status } };
      return this.#write('PUT', this.pathOf(uid, 'status'), body, { ...call, ifMatch });
    };
    return readModifyWrite((call) => this.get(uid, call), edit, write, options);
  }

  /** Returns the path of a resource, or of something below it. Throws TypeError for a uid that would lead to another path. */
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
    { ifMatch, dryRun, ...options }: WriteOptions,
  ): Promise<R> {
    const headers = { 'If-Match': conditionOf(ifMatch) };
    const call = { method, path: written(path, { dryRun }), headers, body: { type, value } };
    const answer = await this.#connection.send<R>(call, options);
    return withEtag(answer.value, answer.headers);
  }
}

/** Returns a string of structured fields (RFC 9651, section 3.3.3). */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
