/** Returns the text of a thrown value, which need not be an error: user-owned code may throw anything. It never throws itself. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'the thrown value has no text';
  }
}
