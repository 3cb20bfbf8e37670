import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Failure } from '../../../../templates/runtime/model/problem';
import type { Collection, Tagged } from '../../data/api';
import type { Draft } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import type { Loaded } from '../../data/use-load';
import { sameDraft, saveOver } from './save';
import type { Subject } from './subject';
import { canSave, type Decisions, type Work, workKey, type WorkOnBase } from './unsaved';
import { type Check, refused, useCheck } from './use-check';
import { type StoredWork, useWork } from './use-work';

/** A draft, and what is known about it. */
export interface DraftState {
  work: Work;
  /** The state before the changes; undefined for a new resource. */
  before: Draft | undefined;
  isDirty: boolean;
  isBusy: boolean;
  /** False if a reload would lose it. */
  isStored: boolean;
  /** From the rules of the kind, and from the service where it has been asked. */
  failures: Failure[];
  check: Check;
  change: (changes: Partial<Work>) => void;
  discard: () => void;
  save: () => void;
}

/** The changes of an existing resource. */
export interface Editing extends DraftState {
  /** The comparison with the state that somebody else has written. */
  merge: Work['merge'];
  decide: (decisions: Decisions) => void;
  /** True if somebody else has changed the resource since the work began. */
  isBehind: boolean;
  compare: () => void;
  /** Goes back from the comparison to the draft. */
  cancel: () => void;
  /** Goes on with a draft that has the other user's changes. */
  resolve: (draft: Draft, base: Tagged) => void;
}

/** Edits a part of a resource. `read` is its current state. */
export function useEditing(
  collection: Collection,
  subject: Subject,
  read: Loaded<Tagged> & { value: Tagged },
): Editing {
  const { notify } = useConsole();
  const { uid, name } = read.value.resource.metadata;
  const stored = useWork(workKey(collection, uid, subject.part));
  const { draftOf } = subject;
  const work = stored.work ?? { base: read.value, draft: draftOf(read.value.resource), held: {} };
  const base = work.base ?? read.value;
  const { merge } = work;
  const [isBusy, setBusy] = useState(false);
  const isDirty = stored.work !== undefined;
  const before = draftOf(base.resource);
  const isBehind = base.etag !== read.value.etag && !sameDraft(before, draftOf(read.value.resource));
  const isChecked = isDirty && work.text?.error === undefined && !isBehind && merge === undefined;
  const made = { base, draft: work.draft };
  const [check, setCheck] = useCheck(isChecked ? work.draft : undefined, (signal) =>
    tryOver(collection, subject, made, { signal, onBehind: read.replace }),
  );
  useRebase(stored, subject, read.value);
  const setMerge = (merge: Work['merge']): void => stored.setWork((latest) => latest && { ...latest, merge });
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const result = await saveOver(collection, subject, made);
      if ('theirs' in result) {
        read.replace(result.theirs);
        return setMerge({ theirs: result.theirs, decisions: {} });
      }
      stored.setWork(() => undefined);
      read.replace(result.saved);
      notify(`${name} is saved`);
    } catch (error) {
      setCheck(refused(error));
    } finally {
      setBusy(false);
    }
  };
  const failures = useFailures(work, check, () => subject.failures(work.draft, before), [base.etag, subject]);
  return {
    ...{ work, before, isDirty, isBusy, failures, check, merge, isBehind, isStored: stored.isStored },
    change: (changes) =>
      stored.setWork((latest) => changed(latest ?? { base, draft: before, held: {} }, changes, subject)),
    discard: () => stored.setWork(() => undefined),
    save: () => {
      if (isDirty && !isBusy && canSave(work)) void save();
    },
    compare: () => setMerge({ theirs: read.value, decisions: {} }),
    decide: (decisions) => setMerge(merge && { ...merge, decisions }),
    cancel: () => setMerge(undefined),
    resolve: (draft, base) => {
      const isSame = sameDraft(draft, draftOf(base.resource));
      stored.setWork(() => (isSame ? undefined : { draft, base, held: {} }));
    },
  };
}

/** Returns what a save would return; undefined after `onBehind` where somebody else has changed the same. */
async function tryOver(
  collection: Collection,
  subject: Subject,
  made: WorkOnBase,
  { signal, onBehind }: { signal: AbortSignal; onBehind: (theirs: Tagged) => void },
): Promise<Tagged | undefined> {
  const result = await saveOver(collection, subject, made, { dryRun: true, signal });
  if ('saved' in result) return result.saved;
  onBehind(result.theirs);
  return undefined;
}

/**
 * Returns the failures of a draft: what the service has said, else what `find` returns, which depends on the draft and
 * the keys.
 */
export function useFailures(
  { draft }: Work,
  check: Check,
  find: () => Failure[],
  keys: unknown[],
): Failure[] {
  const own = useMemo(find, [draft, ...keys]);
  if (check.state !== 'refused') return own;
  const known = new Set(check.failures.map(({ pointer, rule }) => `${pointer} ${rule}`));
  return [...check.failures, ...own.filter(({ pointer, rule }) => !known.has(`${pointer} ${rule}`))];
}

/** Returns the work after a change; undefined where it says what is stored. */
function changed(work: Work, changes: Partial<Work>, { draftOf }: Subject): Work | undefined {
  const next = { ...work, ...changes };
  const isSame = work.base !== undefined && sameDraft(next.draft, draftOf(work.base.resource));
  const isEmpty = next.text === undefined && Object.keys(next.held).length === 0;
  return isSame && isEmpty ? undefined : next;
}

/** A write of other parts, such as the status under a spec, moves the base of the work silently. */
function useRebase({ work, setWork }: StoredWork, { draftOf }: Subject, current: Tagged): void {
  useEffect(() => {
    const base = work?.base;
    if (work === undefined || base === undefined || base.etag === current.etag) return;
    if (sameDraft(draftOf(base.resource), draftOf(current.resource)))
      setWork((latest) => latest && { ...latest, base: current });
  }, [current.etag]);
}
