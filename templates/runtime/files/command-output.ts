/**
 * Lets a command go on when nobody reads its output, or the disk under it is full: its exit code is the result. Without
 * this, the process would end in the middle, or with the code of a failure after a success.
 */
export function ignoreLostOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

/** Writes a line to standard error. Returns the exit code. */
export function say(line: string, code = 0): number {
  process.stderr.write(`${line}\n`);
  return code;
}
