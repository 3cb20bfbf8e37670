/** One failed rule of a request body. */
export interface FieldError {
  /** Position of the field in the body: a JSON Pointer after `#`, such as `#/spec/price`. */
  pointer: string;
  /** As project.yaml declares it (`min=0`), or `type`, `unknown`, `required`. */
  rule: string;
  detail: string;
}

/** A problem that the service reports (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  /** Every field that broke a rule. */
  errors?: FieldError[];
  /** The resources that refer to it, where they forbid the write. */
  referrers?: ReferrerEntry[];
}

/** A resource that refers to another. */
export interface ReferrerEntry {
  kind: string;
  uid: string;
  name: string;
  /** Position of the reference in its document, such as `#/spec/supplier`. */
  pointer: string;
}

/** A response that is not a success. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Headers;

  constructor(status: number, problem: Problem, headers: Headers) {
    super(`${status} ${problem.title}${problem.detail === undefined ? '' : `: ${problem.detail}`}`);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }
}

/** The events after this position have been removed (410): list the resources again, then follow from now. */
export class PositionGoneError extends ApiError {
  override readonly name = 'PositionGoneError';
}

/** No response: the service cannot be reached, or the connection broke. `cause` says more. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** No response within the time limit. It is unknown whether a write was made. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** A response, or an event of a stream, is larger than the client's `maxResponseBytes`. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** Returns whether an error is one with which Next.js interrupts the rendering of a page: it must get that as it is. */
export function isInterruption(error: unknown): boolean {
  return 'digest' in Object(error);
}

/**
 * Returns the error of a response. A body that is no problem document, such as the text of a middleware or a proxy, is
 * its detail; that of a redirect is where it leads, which browsers hide.
 */
export function apiError({ status, statusText, headers, type }: Response, text: string): ApiError {
  const location = headers.get('Location');
  const detail = location === null ? text.trim().slice(0, 1_000) : `the service is at ${location}`;
  const problem = readProblem(text) ?? {
    type: 'about:blank',
    title: statusText || (type === 'opaqueredirect' ? 'Redirected' : 'Error'),
    ...(detail !== '' && { detail }),
  };
  return new (status === 410 ? PositionGoneError : ApiError)(status, { ...problem, status }, headers);
}

/** Returns the error of a response that should have been a success, but cannot come from the service. */
export function unexpectedAnswer({ status, headers }: Response, expected: string): ApiError {
  const got = headers.get('Content-Type') ?? 'nothing';
  const problem = { type: 'about:blank', title: 'Unexpected response', status };
  return new ApiError(
    status,
    { ...problem, detail: `expected ${expected}, got ${got}; is this the service?` },
    headers,
  );
}

function readProblem(text: string): Omit<Problem, 'status'> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'title' in value ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
