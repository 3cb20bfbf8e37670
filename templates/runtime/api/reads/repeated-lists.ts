import { hash } from 'node:crypto';
import { pathOf } from '../../http/request/request-target';
import { BoundedCache } from '../../memory/bounded-cache';
import { collectionOf } from '../../model/kinds/kind';
import type { Store } from '../../store/store';
import { isAsked } from '../request/access';
import { scopeOf } from '../request/label-scope';
import type { RequestContext } from '../request/request-context';

declare module '../../service/service' {
  interface Additions {
    /** Lists that were asked for repeatedly. */
    lists: RepeatedLists;
  }
}

/** A list in one state of its kind. */
export interface RepeatedList {
  readonly key: string;
  readonly state: string;
  /** Quoted, as the ETag header carries it. */
  readonly etag: string;
  /** The response, once it is known. */
  sent?: { body: Buffer; next: string | undefined };
  /** Set when it is asked for again: the first response is not cached, since most lists change before that. */
  isRepeated?: true;
}

/** Size of a cached list without its key and its text, in bytes: the object, its entry in the map. */
const OVERHEAD = 500;

/** The lists that were asked for last, each in its last state. */
export class RepeatedLists {
  readonly #lists: BoundedCache<RepeatedList>;

  /** `maxLength` is in bytes. */
  constructor(
    private readonly store: Pick<Store, 'listState'>,
    maxLength: number,
  ) {
    this.#lists = new BoundedCache(maxLength);
  }

  /**
   * Returns the requested list in the current state of its kind. Undefined where the list depends on a policy, and where
   * the store does not know the state of the kind. Call it before the list is read.
   */
  find({ kind, req, query }: RequestContext, version: string): RepeatedList | undefined {
    const state = isAsked({ kind }, 'canGet') ? undefined : this.store.listState?.(collectionOf(kind));
    if (state === undefined) return undefined;
    const key = JSON.stringify([version, pathOf(req), query, scopeOf(req)]);
    const known = this.#lists.get(key);
    if (known?.state === state) {
      known.isRepeated = true;
      return known;
    }
    // A new object, since a request that still reads the known one would add its text to the wrong state.
    const list = { key, state, etag: `"${hash('sha256', state + key, 'base64url')}"` };
    this.#lists.set(key, list, OVERHEAD + key.length);
    return list;
  }

  /** Caches the text and the `Link` to the next page of a list that was asked for before in the same state. */
  remember(list: RepeatedList, text: string, next: string | undefined): void {
    if (list.isRepeated === undefined) return;
    // A short buffer from Node's pool would keep the memory of its neighbours.
    const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    body.write(text);
    list.sent = { body, next };
    this.#lists.set(list.key, list, OVERHEAD + list.key.length + body.length);
  }
}
