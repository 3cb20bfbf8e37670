/** One failed rule of a request body (RFC 9457). */
export interface Failure {
  /** JSON Pointer of the field in the request's document, such as `/spec/price`; empty for the whole. */
  pointer: string;
  /** As declared: `min=0`, `oneof=a b`; `type` for a wrong type, `unknown` for an unknown field. */
  rule: string;
  detail: string;
}

/** Returns the failure of a value of another type than its field; `type` is that of the field, such as `a string`. */
export function wrongType(pointer: string, type: string): Failure {
  const field = pointer.slice(1).replaceAll('/', '.');
  return { pointer, rule: 'type', detail: `${field} must be ${type}` };
}

/** Maximum number of failures in one response: no more are looked for. */
export const MAX_FAILURES = 100;

/** A resource that refers to another, and so forbids a write of it. */
export interface ReferrerEntry {
  kind: string;
  uid: string;
  name: string;
  /** JSON Pointer of the reference in its document, such as `#/spec/supplier`. */
  pointer: string;
}

/** Further members of a problem, and headers of its response. */
interface ProblemExtras {
  errors?: Failure[];
  referrers?: ReferrerEntry[];
  headers?: { [name: string]: string };
}

/**
 * A resource is stored in a version that this process does not know: a newer release of the service writes to the same
 * database. Returns 503, since a process of that release can serve the request.
 */
export class UnknownStoredVersion extends Error {
  override name = 'UnknownStoredVersion';

  constructor(kind: string, version: string) {
    super(
      `${kind} is stored in ${version}, which this process does not know: a newer release of the service writes to ` +
        'the same database. Replace this process by one of that release',
    );
  }
}

/**
 * A function of a kind's own file has not settled in time. Returns 503 and is logged: the function would hold its request, and
 * all other writes of the resource, for ever.
 */
export class HookTimeout extends Error {
  override name = 'HookTimeout';

  constructor(hook: string, ms: number) {
    super(`${hook} has not settled within ${ms} ms (HOOK_TIMEOUT_MS)`);
  }
}

/** A response that is not a success, as problem+json (RFC 9457). Throw it anywhere below a route. */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    /** Shown to the client: it names no file, no SQL, nothing internal. */
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(detail);
    this.name = 'HttpProblem';
  }
}

/** Returns a 503 after which a client may try again in a second. */
export function unavailable(detail: string, headers: { [name: string]: string } = {}): HttpProblem {
  return new HttpProblem(503, detail, { headers: { 'Retry-After': '1', ...headers } });
}
