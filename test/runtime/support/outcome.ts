import { HttpProblem } from '../../../templates/runtime/model/problem';

/** Returns the result of an action, or the status of the HttpProblem that it throws. */
export function outcome<T>(action: () => T): T | number {
  try {
    return action();
  } catch (error) {
    if (error instanceof HttpProblem) return error.status;
    throw error;
  }
}
