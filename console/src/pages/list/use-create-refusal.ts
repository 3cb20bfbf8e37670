import { useEffect, useState } from 'preact/hooks';
import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import { type Collection, pathOf } from '../../data/api';
import { refusalOf } from '../../data/resource';
import { useConsole } from '../../data/service-context';

/**
 * Returns why the user may create no resource of a kind; undefined where nothing is known against it. The service is
 * asked once, by a dry run of the kind's example.
 */
export function useCreateRefusal(collection: Collection, { example }: ConsoleVersion): string | undefined {
  const { session } = useConsole();
  const [refusal, setRefusal] = useState<string>();
  const path = pathOf(collection);
  useEffect(() => {
    setRefusal(undefined);
    if (example === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const body = { type: 'application/json', value: example };
    void refusalOf({ method: 'POST', path, body }, signal).then((found) => {
      if (!signal.aborted) setRefusal(found);
    });
    return () => controller.abort();
  }, [path, session]);
  return refusal;
}
