import { type Problem, ProjectError } from '../model/problem';
import type { SchemaChange } from './schema-changes';

/** A change of what a recorded version promises. */
export interface VersionChange extends SchemaChange {
  group: string;
  kind: string;
  version: string;
}

/** Decides for a change of a stable version whether the user acknowledges it; `message` describes it. */
export type Acknowledgement = (change: VersionChange, message: string) => boolean;

/** Thrown for changes of stable versions that nobody has acknowledged; the problems have the next command in their hints. */
export class UnacknowledgedChanges extends ProjectError {
  constructor(
    problems: Problem[],
    /** The number of changes that are breaking. */
    readonly breaking: number,
  ) {
    super(problems);
  }
}
