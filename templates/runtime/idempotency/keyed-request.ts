import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../model/problem';
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

const HEADER = 'idempotency-key';

/** A string of structured fields (RFC 9651, section 3.3.3), of visible characters only. */
const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])*)"$/;
/** The same without quotes, as many clients send it. */
const BARE = /^[!#-~][!-~]*$/;

/** Maximum length of a key, in characters. */
const LONGEST = 255;

/**
 * Returns the key in a request's Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header), quoted or bare;
 * undefined without the header. Throws HttpProblem 400 for a malformed one.
 */
export function idempotencyKeyOf(req: IncomingMessage): string | undefined {
  if (req.headers[HEADER] === undefined) return undefined;
  const [value = '', ...others] = req.headersDistinct[HEADER] ?? [];
  const key = QUOTED.exec(value)?.[1].replace(/\\(.)/g, '$1') ?? BARE.exec(value)?.[0] ?? '';
  if (key === '' || key.length > LONGEST || others.length > 0)
    throw new HttpProblem(
      400,
      `The Idempotency-Key must be one string of 1 to ${LONGEST} visible ASCII characters, quoted or not.`,
    );
  return key;
}
