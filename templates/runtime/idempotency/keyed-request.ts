import { hash } from 'node:crypto';
import type { Requirement } from '../model/selectors/selector';

/** A create with an Idempotency-Key. */
export interface KeyedRequest {
  /** Digest of the key, its kind and its caller: nobody receives another caller's response. */
  readonly id: string;
  /** The path and the query, as they were sent. */
  readonly url: string;
  /** Digest of the body; absent until it has been received. */
  body?: string;
  /** Digest of everything that a repeat must have in common; absent until its version and its body are known to be right. */
  fingerprint?: string;
}

/** The members that a key belongs to. */
interface KeyOwner {
  /** `<group>/<Kind>` */
  kind: string;
  /** The caller's label scope. */
  scope: readonly Requirement[];
  /** The caller's name; undefined where nobody has set one. */
  actor: string | undefined;
}

/** Returns a request with a key of this owner. */
export function keyedRequest(url: string, key: string, { kind, scope, actor }: KeyOwner): KeyedRequest {
  const labels = scope.map(({ key: label, values }) => JSON.stringify([label, ...values]));
  return { id: digest(JSON.stringify([kind, [...new Set(labels)].sort(), actor ?? null, key])), url };
}

/** Notes the bytes of the body, or its JSON text where middleware has parsed it already. */
export function noteBody(request: KeyedRequest, body: Buffer | string): void {
  request.body = digest(body);
}

/**
 * Notes the API version that the request's Accept header has chosen; undefined where it names none, so that a request is still
 * the same one when the storage version has moved. The URL and the body hold the versions that they name.
 */
export function noteVersion(request: KeyedRequest, version: string | undefined): void {
  request.fingerprint = digest(JSON.stringify([request.url, version ?? null, request.body]));
}

function digest(text: Buffer | string): string {
  return hash('sha256', text, 'hex');
}
