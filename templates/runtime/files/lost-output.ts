/**
 * Lets a command go on when nobody reads its output, or the disk under it is full: its exit code is the result. Without
 * this, the process would end in the middle, or with the code of a failure after a success.
 */
export function ignoreLostOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}
