/** A condition in SQL, with a `?` for each of its parameters. */
export interface Condition<P = string | number | Uint8Array> {
  sql: string;
  parameters: P[];
}

/** Returns a condition that is met where all are. */
export function allOf<P>(conditions: readonly Condition<P>[]): Condition<P> {
  return {
    sql: conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' AND '),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/**
 * Returns a string in a form that SQLite and PostgreSQL store and compare exactly: as inside a JSON string literal.
 * NUL, which drivers cut at or refuse, and lone surrogates, which are no UTF-8, are escape sequences there.
 */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns whether a string can be bound unescaped. Any other is no uid and no versionId, so nothing is stored under it. */
export function isPlain(text: string): boolean {
  return !/[\0\ud800-\udfff]/u.test(text);
}
