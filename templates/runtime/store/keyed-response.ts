import type { MaybePromise } from './stored-resource';

/** The response to a create with an Idempotency-Key. It is stored in the transaction of the create. */
export interface KeyedResponse {
  /** Identifies the key, its kind and its caller: a digest of fixed length. */
  key: string;
  /** Digest of the request: another request with the same key is refused. */
  request: string;
  /** End of the time in which the response is returned again, in milliseconds since 1970. */
  expiresAt: number;
  /** The headers as a JSON object: values are strings, numbers or lists of strings. */
  headers: string;
  /** The body. */
  text: string;
}

/** The stored responses. While one is stored, expired or not, its key is taken. All methods throw StoreUnavailable. */
export interface KeyedResponses {
  find(key: string): MaybePromise<KeyedResponse | undefined>;
  /** Returns the keys of up to `limit` responses that have expired, the oldest first. */
  expired(now: number, limit: number): MaybePromise<string[]>;
  /** Removes those of these responses that have expired. */
  remove(keys: readonly string[], now: number): Promise<void>;
}
