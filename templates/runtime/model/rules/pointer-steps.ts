import { escapedStep } from '../fragment';

/** Keys up to this length are escaped each time. */
const SHORT = 64;

/** The escaped form of long keys. */
const escaped = new Map<string, string>();

/**
 * Returns a key as a step of a JSON Pointer (RFC 6901). Generated validators need it for each value inside an entry of a
 * map, thousands of times for the same key, which may be almost as long as the body.
 */
export function pointerStep(key: string): string {
  if (key.length <= SHORT) return escapedStep(key);
  let step = escaped.get(key);
  if (step === undefined) escaped.set(key, (step = escapedStep(key)));
  return step;
}

/** Forgets the keys of a value that has been validated. */
export function forgetSteps(): void {
  escaped.clear();
}
