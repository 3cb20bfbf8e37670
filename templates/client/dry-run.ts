/** Options of everything that writes. */
export interface DryRunOptions {
  /** Check everything and write nothing: the result is that of the write, with an invented uid and times. */
  dryRun?: boolean | undefined;
}

/** Returns the path of a write, with the parameter of a dry run. */
export function written(path: string, { dryRun }: DryRunOptions): string {
  return dryRun ? `${path}?dryRun=true` : path;
}
