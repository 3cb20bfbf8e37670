/** One failed rule of a request body. */
export interface FieldError {
  /** Where it stands in the body: a JSON Pointer behind `#`, such as `#/spec/price`. */
  pointer: string;
  /** As project.yaml declares it (`min=0`), or `type`, `unknown`, `required`. */
  rule: string;
  detail: string;
}

/** What went wrong, as the service tells it (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  /** Every field that broke a rule. */
  errors?: FieldError[];
}

/** An answer that is not a success. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly headers: Headers,
  ) {
    super(`${status} ${problem.title}${problem.detail === undefined ? '' : `: ${problem.detail}`}`);
  }
}

/** The events after this position are no longer kept (410): list the resources anew, then follow from now. */
export class PositionGoneError extends ApiError {
  override readonly name = 'PositionGoneError';
}

/** There was no answer: the service cannot be reached, or the connection broke. `cause` says more. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The answer was not there in time. Whether a write was made is unknown. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * The error of an answer; what is no problem document, such as the text of a middleware or a proxy, is its
 * detail.
 */
export async function apiError(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  const problem = readProblem(text) ?? {
    type: 'about:blank',
    title: statusText || 'Error',
    ...(text.trim() !== '' && { detail: text.trim().slice(0, 1_000) }),
  };
  return new (status === 410 ? PositionGoneError : ApiError)(status, { ...problem, status }, headers);
}

/** The error of an answer that should have been a success, and cannot be the service's. */
export function unexpectedAnswer({ status, headers }: Response, expected: string): ApiError {
  const got = headers.get('Content-Type') ?? 'nothing';
  const problem = { type: 'about:blank', title: 'Unexpected answer', status };
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
