import type { HistoryCollection } from '../client/history';
import type { KindFields } from '../client/listing';
import type { Failure } from '../runtime/model/problem';
import type { Resource, ResourceInput } from '../runtime/model/resource';
import type { Json, Schema } from '../runtime/model/schema';
import type { Body } from '../runtime/model/versions/versioning-of';

/** The resources of any kind. */
export type CtlCollection = HistoryCollection<Resource, ResourceInput, KindFields>;

/** A version of a kind: its fields and, for a spoke, its converter, each loaded when a command needs it. */
export interface CtlVersion {
  /** The columns of a table, besides name, uid, age and generation. */
  columns: CtlColumn[];
  schema: () => Promise<{ spec: Schema; types: { [name: string]: Schema } }>;
  convert?: () => Promise<{ converter: Converter }>;
}

/** A converter between the storage version and another, as far as commands need it. */
interface Converter {
  toHub(spoke: Body, stored: undefined, failures: { found: Failure[] }): { hub: Body };
  fromHub(hub: Body, preserved: Json | undefined): Body;
}

/** A column of a table. */
export interface CtlColumn {
  title: string;
  /** The field that it shows, such as `spec.location`. */
  path: string;
  /** Present for times, which are shown as ages. */
  type?: 'date';
  /** Present for a column that only wide tables have. */
  wide?: true;
}

/** A kind of resource, as the command line needs it. */
export interface CtlKind {
  group: string;
  kind: string;
  plural: string;
  /** The storage version first. */
  versions: { [name: string]: CtlVersion };
  /** True for a kind with spec version history. */
  history: boolean;
  /** Set for a kind with unique names. */
  uniqueNames?: true;
  /** Set for a kind that can be selected and sorted by fields. */
  selectable?: true;
}

/** A service, as its command line needs it. */
export interface CtlDefinition {
  /** Its name; the command is the name followed by `ctl`. */
  service: string;
  /** True if it publishes events. */
  events: boolean;
  /** Headers that may carry an API key; absent where there are none. */
  apiKeys?: string[];
  kinds: CtlKind[];
}

/** The environment of a program: `process`, or less of it in tests. */
export interface Io {
  /** Node, the program, and its arguments. */
  argv: string[];
  env: { [name: string]: string | undefined };
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/** The user's input is wrong; the message names the mistake. */
export class UsageError extends Error {}

/** A command that cannot be done; the message names the reason. */
export class CommandFailure extends Error {}

/**
 * Returns the kind that a user means: by its name, its plural, or its name in any case; where several groups have it,
 * followed by the group. Throws UsageError.
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

/** Returns the version of a kind that a user means; by default the storage version. Throws UsageError. */
export function findVersion({ group, plural, versions }: CtlKind, name: string | undefined): string {
  const names = Object.keys(versions);
  if (name === undefined) return names[0];
  const found = names.find((version) => name === version || name === `${group}/${version}`);
  if (found !== undefined) return found;
  throw new UsageError(`${plural} have no version ${JSON.stringify(name)}; there are: ${names.join(', ')}`);
}
