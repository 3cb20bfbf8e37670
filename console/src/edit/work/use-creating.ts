import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../templates/client/errors';
import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import type { Collection, Tagged } from '../../data/api';
import { createResource, type Draft } from '../../data/resource';
import { draftFailures } from './draft';
import { canSave, type Work, workKey } from './unsaved';
import { refused, useCheck } from './use-check';
import { type DraftState, useFailures } from './use-editing';
import { useWork } from './use-work';

/** A draft of a new resource. */
export interface Creating extends DraftState {
  /** Starts again from other contents. */
  start: (work: Omit<Work, 'held'>) => void;
  /** Why the service refuses every create of this user. */
  refusal: string | undefined;
}

/** A resource to make. */
interface NewResource {
  collection: Collection;
  details: ConsoleVersion;
  first: Draft;
  /** Distinguishes the unsaved work of several new resources. */
  name: string;
}

/** Makes a new resource, from `first` unless there is unsaved work. */
export function useCreating(
  { collection, details, first, name }: NewResource,
  onCreated: (created: Tagged) => void,
): Creating {
  const stored = useWork(workKey(collection, name));
  const initial = useRef<Work>({ draft: first, held: {} }).current;
  const work = stored.work ?? initial;
  const [isBusy, setBusy] = useState(false);
  const [check, setCheck] = useCheck(canSave(work) ? work.draft : undefined, (signal) =>
    createResource(collection, work.draft, { dryRun: true, signal }),
  );
  const create = async (): Promise<void> => {
    const { draft, key = newKey() } = work;
    setBusy(true);
    try {
      await createResource(collection, draft, { dryRun: true });
      stored.setWork(() => ({ ...work, key }));
      const created = await createResource(collection, draft, { key });
      stored.setWork(() => undefined);
      onCreated(created);
    } catch (error) {
      setCheck(refused(error));
      setBusy(false);
    }
  };
  const failures = useFailures(work, check, () => draftFailures(work.draft, details, undefined), [details]);
  const isRefused =
    check.state === 'refused' && check.error instanceof ApiError && check.error.status === 403;
  return {
    before: undefined,
    ...{ work, isBusy, failures, check, isDirty: stored.work !== undefined, isStored: stored.isStored },
    refusal: isRefused ? (check.error as ApiError).problem.detail : undefined,
    change: (changes) =>
      stored.setWork((latest) => {
        const { key, ...rest } = latest ?? work;
        return { ...rest, ...(changes.draft === undefined && { key }), ...changes };
      }),
    start: (work) => stored.setWork(() => ({ ...work, held: {} })),
    discard: () => stored.setWork(() => undefined),
    save: () => {
      if (!isBusy && canSave(work)) void create();
    },
  };
}

/** Returns a new key of a request. `randomUUID` needs HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
