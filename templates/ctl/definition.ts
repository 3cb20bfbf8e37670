/** A kind of resource, as the command line needs to know it. */
export interface CtlKind {
  group: string;
  kind: string;
  plural: string;
  /** The storage version first. */
  versions: string[];
  /** Members of the status that a table shows. */
  columns: string[];
  /** Whether the service keeps the versions of its specs. */
  history: boolean;
}

/** A service, as its command line needs to know it. */
export interface CtlDefinition {
  /** Its name; the command is called the same with `ctl` behind it. */
  service: string;
  /** Whether it publishes events. */
  events: boolean;
  kinds: CtlKind[];
}

/** What a program is given: `process`, or less of it in tests. */
export interface Io {
  /** Node, the program, and its arguments. */
  argv: string[];
  env: { [name: string]: string | undefined };
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/** The user's input is wrong; the message says how. */
export class UsageError extends Error {}

/**
 * The kind that a user means: by its name, its plural, or its name in any case; where several groups have it,
 * with the group behind the name. Throws UsageError.
 */
export function findKind({ kinds }: CtlDefinition, name: string): CtlKind {
  const meant = name.toLowerCase();
  const ways: ((kind: CtlKind) => boolean)[] = [
    ({ group, kind }) => [kind, `${kind}.${group}`].includes(name),
    ({ plural }) => plural === meant,
    ({ group, kind }) => [kind, `${kind}.${group}`].some((each) => each.toLowerCase() === meant),
  ];
  const [found = []] = ways.map((way) => kinds.filter(way)).filter(({ length }) => length > 0);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const known = (only === undefined ? kinds : found).map(({ plural }) => plural).join(', ');
  const quoted = JSON.stringify(name);
  throw new UsageError(
    only === undefined
      ? `there is no kind ${quoted}; there are: ${known}`
      : `${quoted} may be one of ${known}`,
  );
}

/** The version of a kind that a user means; the storage version unless one is named. Throws UsageError. */
export function findVersion({ group, plural, versions }: CtlKind, name: string | undefined): string {
  if (name === undefined) return versions[0]!;
  const found = versions.find((version) => name === version || name === `${group}/${version}`);
  if (found !== undefined) return found;
  throw new UsageError(
    `${plural} have no version ${JSON.stringify(name)}; there are: ${versions.join(', ')}`,
  );
}
