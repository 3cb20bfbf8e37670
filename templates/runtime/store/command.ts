import type { EventCommand } from './event-command';
import type { ResourceIndex } from './indexes';
import type { SingleWrite, SnapshotKey, Write } from './store';
import type { PlacedSnapshot } from './stored-versions';

/** Every change of a store: the writes of its interface, and those that its other methods make. Plain data. */
export type Command =
  | Write
  | ({ action: 'deleteSnapshot' } & SnapshotKey)
  | { action: 'rewriteSnapshot'; kind: string; from: string; snapshot: PlacedSnapshot }
  | EventCommand
  /** Removes those of these responses that have expired. */
  | { action: 'removeResponses'; keys: readonly string[]; now: number }
  /** Finds out the result of a write, which is undone. */
  | { action: 'judge'; write: Write }
  /** Changes nothing visible, but is written like the others: shows that the store is writable. */
  | { action: 'probe' };

/** Returns the writes of single resources that a command consists of. */
export function writesOf(command: Command): readonly SingleWrite[] {
  if (command.action === 'all') return command.writes;
  const isWrite = command.action === 'create' || command.action === 'update' || command.action === 'delete';
  return isWrite ? [command] : [];
}

/** Returns the uids of the resources that a command writes, and of those that have its snapshots. */
export function uidsOf(command: Command): string[] {
  if (command.action === 'all') return command.writes.map(({ uid }) => uid);
  return 'uid' in command ? [command.uid] : [];
}

/** Returns whether a command has an event. */
export function hasEvent(command: Command): boolean {
  if (command.action === 'all') return command.writes.some(hasEvent);
  return 'event' in command && command.event !== undefined;
}

/** Returns whether a batch is committed: one that only judges is undone. */
export function isCommitted(batch: readonly Command[]): boolean {
  return batch.some(({ action }) => action !== 'judge');
}

/** Size of an entry of an index besides its key, in bytes. */
const ENTRY = 100;

/** Returns the approximate size of a resource's entries, in bytes. */
function weightOf(index: ResourceIndex | undefined): number {
  if (index === undefined) return 0;
  const entries = [...index.fields, ...index.unique, ...index.references];
  return entries.reduce((sum, { key }) => sum + ENTRY + key.length, 0);
}

/** Returns the approximate size of a command in a transaction, in bytes. */
export function weight(command: Command): number {
  if (command.action === 'all') return command.writes.reduce((sum, write) => sum + weight(write), 0);
  if (command.action === 'judge') return weight(command.write);
  if (command.action === 'bury') return 256 + command.letter.text.length;
  if (command.action === 'rewriteSnapshot')
    return 256 + command.snapshot.text.length + (command.snapshot.kept?.length ?? 0);
  if (command.action !== 'create' && command.action !== 'update') return 256;
  const { text, kept, snapshot, event, index } = command;
  const response = command.action === 'create' ? command.keyed : undefined;
  return (
    256 +
    text.length +
    (kept?.length ?? 0) +
    (snapshot?.text.length ?? 0) +
    (snapshot?.kept?.length ?? 0) +
    (event?.text.length ?? 0) +
    (event?.kept?.length ?? 0) +
    (response === undefined ? 0 : 256 + response.headers.length + response.text.length) +
    weightOf(index)
  );
}
