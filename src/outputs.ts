/** A file that svcgen can write, complete in memory before anything touches the disk. */
export interface OutputFile {
  /** Relative to the project folder, with `/`. */
  path: string;
  text: string;
  /** `svcgen`: rewritten on every run. `user`: written once, when it is not there. */
  owner: 'svcgen' | 'user';
}
