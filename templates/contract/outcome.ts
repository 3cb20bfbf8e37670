import { HttpProblem } from '../runtime/model/problem';

/** Returns the result of a call, or the status and the detail of the HttpProblem that it throws. */
export function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof HttpProblem) return `${error.status} ${error.message}`;
    throw error;
  }
}
