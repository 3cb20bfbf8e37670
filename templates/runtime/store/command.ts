import type { EventCommand } from './event-command';
import type { SnapshotKey, Write } from './store';
import type { PlacedSnapshot } from './stored-versions';

/** All that changes a store: the writes of its interface, and those that its other methods make. Plain data. */
export type Command =
  | Write
  | ({ action: 'deleteSnapshot' } & SnapshotKey)
  | { action: 'rewriteSnapshot'; kind: string; from: string; snapshot: PlacedSnapshot }
  | EventCommand
  /** Changes nothing that anybody sees, but is written like the others: shows that the store can be written. */
  | { action: 'probe' };

/** Roughly how many bytes a command brings into a transaction. */
export function weight(command: Command): number {
  if (command.action === 'bury') return 256 + command.letter.text.length;
  if (command.action === 'rewriteSnapshot')
    return 256 + command.snapshot.text.length + (command.snapshot.kept?.length ?? 0);
  if (command.action !== 'create' && command.action !== 'update') return 256;
  const { text, kept, snapshot, event } = command;
  return (
    256 +
    text.length +
    (kept?.length ?? 0) +
    (snapshot?.text.length ?? 0) +
    (snapshot?.kept?.length ?? 0) +
    (event?.text.length ?? 0) +
    (event?.kept?.length ?? 0)
  );
}
