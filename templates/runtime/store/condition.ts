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
