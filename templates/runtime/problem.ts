/** One failed rule of a request body (contract, "Errors"). */
export interface Failure {
  /** JSON Pointer of the field in the request's document, such as `/spec/price`; empty for the whole. */
  pointer: string;
  /** As declared: `min=0`, `oneof=a b`; `type` for a wrong type, `unknown` for an unknown field. */
  rule: string;
  detail: string;
}

/** An answer that is not a success, as problem+json (RFC 9457). Throw it anywhere below a route. */
export class HttpProblem extends Error {
  constructor(
    readonly status: number,
    /** For the client: it names no file, no SQL, nothing internal. */
    readonly detail: string,
    readonly extras: { errors?: Failure[]; headers?: { [name: string]: string } } = {},
  ) {
    super(detail);
    this.name = 'HttpProblem';
  }
}
