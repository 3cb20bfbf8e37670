/**
 * Runs an action after a commit. An error of it is a defect that is reported on stderr: the writes are made, and a
 * thrown error would deny that.
 */
export function afterCommit(action: () => void): void {
  try {
    action();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
