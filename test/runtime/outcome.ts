import { HttpProblem } from '../../templates/runtime/problem';

/** What a call returns, or the status of the HttpProblem that it throws. */
export function outcome<T>(call: () => T): T | number {
  try {
    return call();
  } catch (error) {
    if (error instanceof HttpProblem) return error.status;
    throw error;
  }
}
