import { pause } from '../../../templates/client/deadline';
import type { ConsoleKindSummary, ConsoleService } from '../../../templates/runtime/console/content';
import { connection, pathOf, type Resource } from '../data/api';
import { escaped } from '../data/completion';
import { InTurn } from '../data/in-turn';
import { linkTo } from '../data/route';

/** A page that a user can go to. */
export interface Target {
  name: string;
  note: string;
  link: string;
}

/** Pause after the last key before the service is asked, in milliseconds. */
const PAUSE_MS = 300;
/** Requests at a time. */
const AT_ONCE = 3;
/** Maximum number of resources of one kind. */
const MOST = 3;

/** Returns whether resources of a kind can be found by their names. */
export const hasNames = ({ sorts }: ConsoleKindSummary): boolean => sorts;

/** Finds resources by their whole name. A kind that cannot be read has none. */
export async function namedTargets(
  { kinds }: ConsoleService,
  name: string,
  signal: AbortSignal,
): Promise<Target[]> {
  if (name === '') return [];
  await pause(PAUSE_MS, signal);
  const turns = new InTurn(AT_ONCE);
  const found = kinds
    .filter(hasNames)
    .map((kind) => turns.run(() => targetsIn(kind, name, signal)).catch(() => []));
  return (await Promise.all(found)).flat();
}

async function targetsIn(kind: ConsoleKindSummary, name: string, signal: AbortSignal): Promise<Target[]> {
  const query = new URLSearchParams({
    fieldSelector: `metadata.name=${escaped(name)}`,
    limit: String(MOST),
  });
  const path = `${pathOf({ ...kind, version: kind.storageVersion })}?${query}`;
  const { value } = await connection.send<Resource[]>({ method: 'GET', path }, { signal });
  return value.map(({ metadata: { uid } }) => ({
    name,
    note: `${kind.kind} · ${uid}`,
    link: linkTo([kind.plural, uid]),
  }));
}
