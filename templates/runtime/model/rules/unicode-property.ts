const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST = 0x10ffff;

const known = new Map<string, string>();

/** Returns a pattern with each `\p{…}` and `\P{…}`, which stand in classes, replaced by its ranges of characters. */
export function withProperties(pattern: string): string {
  return pattern.replace(/\\p\{[^}]*\}/gi, (escape) => {
    const ranges = known.get(escape) ?? rangesOf(escape);
    known.set(escape, ranges);
    return ranges;
  });
}

/** Asks JavaScript's engine, so that a property means the same to both engines. */
function rangesOf(escape: string): string {
  const has = new RegExp(escape, 'u');
  let ranges = '';
  let first = -1;
  for (let codePoint = 0; codePoint <= LAST + 1; codePoint++) {
    const isIn = codePoint <= LAST && has.test(String.fromCodePoint(codePoint));
    if (isIn && first < 0) first = codePoint;
    if (!isIn && first >= 0) {
      ranges += `\\x{${first.toString(16)}}-\\x{${(codePoint - 1).toString(16)}}`;
      first = -1;
    }
    // All surrogates have the same properties.
    if (codePoint === FIRST_SURROGATE) codePoint = LAST_SURROGATE;
  }
  return ranges;
}
