let left = 0;

/** Begins a validation: the steps of its patterns are counted from here. */
export function beginValidation(maxSteps: number): void {
  left = maxSteps;
}

/** Counts steps of a pattern, and returns whether the current validation may take them. */
export function takeSteps(steps: number): boolean {
  left -= steps;
  return !isExhausted();
}

/** Returns whether the patterns of the current validation have used up their steps. */
export function isExhausted(): boolean {
  return left < 0;
}
