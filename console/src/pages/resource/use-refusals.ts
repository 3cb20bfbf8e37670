import { useEffect, useState } from 'preact/hooks';
import { type Collection, pathOf, type Tagged } from '../../data/api';
import { copyOf, refusalOf } from '../../data/resource';
import { useConsole } from '../../data/service-context';

/** Why the user may not change a resource, write its status, delete it, or copy it; undefined where nothing is known against it. */
export interface Refusals {
  edit?: string;
  status?: string;
  remove?: string;
  copy?: string;
}

/** Asks the service once whether it would refuse the actions on a resource. Dry runs change nothing. */
export function useRefusals(collection: Collection, current: Tagged | undefined): Refusals {
  const { session } = useConsole();
  const [refusals, setRefusals] = useState<Refusals>({});
  const uid = current?.resource.metadata.uid;
  useEffect(() => {
    setRefusals({});
    if (uid === undefined || current === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const call = { path: pathOf(collection, uid), headers: { 'If-Match': current.etag } };
    const patch = { type: 'application/merge-patch+json', value: {} };
    const ask = async (): Promise<void> => {
      const edit = await refusalOf({ ...call, method: 'PATCH', body: patch }, signal);
      const status = await refusalOf(
        { ...call, path: `${call.path}/status`, method: 'PATCH', body: { ...patch, value: { status: {} } } },
        signal,
      );
      const remove = await refusalOf({ ...call, method: 'DELETE' }, signal);
      const copy = await refusalOf(
        {
          method: 'POST',
          path: pathOf(collection),
          body: { type: 'application/json', value: copyOf(current.resource) },
        },
        signal,
      );
      if (!signal.aborted) setRefusals({ edit, status, remove, copy });
    };
    void ask();
    return () => controller.abort();
  }, [uid, session]);
  return refusals;
}
