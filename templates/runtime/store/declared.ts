import { type Command, writesOf } from './command';

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
