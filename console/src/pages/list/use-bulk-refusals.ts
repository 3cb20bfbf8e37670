import { useEffect, useRef, useState } from 'preact/hooks';
import { type Collection, pathOf } from '../../data/api';
import { InTurn } from '../../data/in-turn';
import { refusalOf } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import { AT_ONCE } from './bulk';
import type { Row } from './list-data';

/** Why the service would refuse the actions on a line; undefined where nothing is known against one. */
interface RowRefusals {
  label?: string;
  remove?: string;
}

/** Why the service would refuse an action on the selected lines. */
export interface BulkRefusal {
  /** Set if it would refuse every line. */
  all?: string;
  /** Set if it would refuse some of them. */
  some?: string;
}

/** The questions of one user. */
interface Asking {
  turns: InTurn;
  signal: AbortSignal;
}

/** Asks the service once for each selected line whether it would refuse the actions on it. Dry runs change nothing. */
export function useBulkRefusals(
  collection: Collection,
  rows: Row[],
): { [action in keyof Required<RowRefusals>]: BulkRefusal } {
  const { session } = useConsole();
  const [known, setKnown] = useState<ReadonlyMap<string, RowRefusals>>(new Map());
  const asked = useRef(new Set<string>()).current;
  const asking = useRef<Asking>(undefined);
  const uids = rows.map(({ resource }) => resource.metadata.uid);
  useEffect(() => {
    const controller = new AbortController();
    asking.current = { turns: new InTurn(AT_ONCE), signal: controller.signal };
    asked.clear();
    setKnown(new Map());
    return () => controller.abort();
  }, [pathOf(collection), session]);
  useEffect(() => {
    const { turns, signal } = asking.current!;
    for (const uid of uids.filter((uid) => !asked.has(uid))) {
      asked.add(uid);
      void turns.run(async () => {
        if (signal.aborted) return;
        const found = await refusalsOf(collection, uid, signal);
        if (!signal.aborted) setKnown((all) => new Map(all).set(uid, found));
      });
    }
  }, [uids.join(), pathOf(collection), session]);
  const of = (action: keyof RowRefusals): BulkRefusal => summary(uids.map((uid) => known.get(uid)?.[action]));
  return { label: of('label'), remove: of('remove') };
}

async function refusalsOf(collection: Collection, uid: string, signal: AbortSignal): Promise<RowRefusals> {
  const call = { path: pathOf(collection, uid), headers: { 'If-Match': '*' } };
  const body = { type: 'application/merge-patch+json', value: {} };
  return {
    label: await refusalOf({ ...call, method: 'PATCH', body }, signal),
    remove: await refusalOf({ ...call, method: 'DELETE' }, signal),
  };
}

function summary(refusals: (string | undefined)[]): BulkRefusal {
  const given = refusals.filter((each) => each !== undefined);
  const [first] = given;
  if (first === undefined) return {};
  if (given.length === refusals.length) return { all: first };
  return { some: `The service would refuse ${given.length} of ${refusals.length}: ${first}` };
}
