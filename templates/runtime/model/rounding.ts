/**
 * Returns whether a number as it is written is an integer that a double rounds, so that it would be returned as another one.
 * Numbers with a point or an exponent are none.
 */
export function isRounded(number: string): boolean {
  const [, digits] = /^[-+]?(\d+)$/.exec(number) ?? [];
  if (digits === undefined) return false;
  const stored = Number(digits);
  if (stored <= Number.MAX_SAFE_INTEGER || stored === Infinity) return false;
  // Some clients send the digits that the service returns, followed by zeros, others all digits of the double.
  const shown = stored.toExponential().replace(/\.|e.*/g, '');
  return digits.replace(/0+$/, '') !== shown && BigInt(digits) !== BigInt(stored);
}

/** Says what becomes of an integer that a double rounds. */
export function roundingOf(integer: string): string {
  const excerpt = integer.length > 40 ? `${integer.slice(0, 40)}…` : integer;
  return `the integer ${excerpt} would be stored as ${Number(integer)}; send it as a string`;
}
