import type { ResourceIndex } from './indexes';
import type { Condition } from './sql';
import type { SingleWrite, Write } from './store';
import { lengthOf } from './stored-resource';

/** A statement with its parameters. */
export type SqlStatement = Condition<string | number | null>;

/** Every change of a store: the writes of its interface, and those that its other methods make. Plain data. */
export type Command =
  | Write
  /** Runs statements that change other rows than a write. It is in conflict where the first one changes none. */
  | { action: 'run'; statements: readonly SqlStatement[] }
  /** Finds out the result of a write, which is undone. */
  | { action: 'judge'; write: Write };

/** The commands with this action. */
export type Of<Action> = Extract<Command, { action: Action }>;

/** Returns the writes of single resources that a command consists of. */
export function writesOf(command: Command): readonly SingleWrite[] {
  if (command.action === 'all') return command.writes;
  const isWrite = command.action === 'create' || command.action === 'update' || command.action === 'delete';
  return isWrite ? [command] : [];
}

/** Returns the uids of the resources that a command writes. */
export function uidsOf(command: Command): string[] {
  if (command.action === 'all') return command.writes.map(({ uid }) => uid);
  return 'uid' in command ? [command.uid] : [];
}

/** Returns whether a batch is committed: one that only judges is undone. */
export function isCommitted(batch: readonly Command[]): boolean {
  return batch.some(({ action }) => action !== 'judge');
}

/** Size of a command besides its texts, and of an entry of an index besides its key, in bytes. */
const [COMMAND, ENTRY] = [256, 100];

/** Returns the approximate size of a resource's entries, in bytes. */
function weightOf(index: ResourceIndex | undefined): number {
  if (index === undefined) return 0;
  return Object.values(index)
    .flat()
    .reduce((sum, { key }) => sum + ENTRY + key.length, 0);
}

/** Returns the size of the texts of a statement's parameters, in characters. */
function sizeOf({ parameters }: SqlStatement): number {
  return parameters.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0);
}

/** Returns the approximate size of a command in a transaction, in bytes. */
export function weight(command: Command): number {
  if (command.action === 'all') return command.writes.reduce((sum, write) => sum + weight(write), 0);
  if (command.action === 'judge') return weight(command.write);
  if (command.action === 'run') return command.statements.reduce((sum, each) => sum + sizeOf(each), COMMAND);
  if (command.action === 'delete') return COMMAND;
  const { snapshot, event, index } = command;
  const response = command.action === 'create' ? command.keyed : undefined;
  return (
    COMMAND +
    lengthOf(command) +
    (snapshot === undefined ? 0 : lengthOf(snapshot)) +
    (event === undefined ? 0 : lengthOf(event)) +
    (response === undefined ? 0 : COMMAND + response.headers.length + response.text.length) +
    weightOf(index)
  );
}

/**
 * The digests under which a process makes the entries of kinds, by kind. A kind without entries has none. Undefined in a
 * process that has not compared its declarations with the database yet.
 */
export type Declared = ReadonlyMap<string, string> | undefined;

/** Returns the kinds whose entries commands write or remove, or would if they were more than judged. */
export function kindsOf(commands: readonly Command[]): string[] {
  const writes = commands.flatMap((command) =>
    writesOf(command.action === 'judge' ? command.write : command),
  );
  return [...new Set(writes.map(({ kind }) => kind))];
}

/** Returns the kinds whose entries others make under other declarations, by the digests that are stored. */
export function otherKinds(
  declared: Declared,
  kinds: readonly string[],
  stored: (kind: string) => string | undefined,
): string[] {
  if (declared === undefined) return [];
  return kinds.filter((kind) => (stored(kind) ?? '') !== (declared.get(kind) ?? ''));
}
