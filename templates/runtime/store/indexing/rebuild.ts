import { setImmediate } from 'node:timers/promises';
import type { MaybePromise, UnplacedResource } from '../stored-resource';
import { NAME_INDEX, type ResourceIndex } from './resource-index';
import type { IndexedKind, IndexProblem, MadeEntries, Progress } from './store-indexes';

/** Maximum number of problems that are reported. */
export const MAX_PROBLEMS = 100;

/** The tables that entries are written into, in a transaction that the caller began. */
export interface RebuildTarget {
  count(kind: string): MaybePromise<number>;
  /** Returns some resources of a kind, after the one with this id. */
  rows(kind: string, after: number): MaybePromise<UnplacedResource[]>;
  /** Removes the entries of a kind. */
  clear(kind: string): MaybePromise<void>;
  /** Adds the entries of some resources, and returns those with taken keys. */
  add(kind: string, rows: readonly IndexedRow[]): MaybePromise<IndexProblem[]>;
  /**
   * Removes those references of other kinds than these whose target has no entries any more, and those of resources that a
   * service without indexes has deleted. When such a kind comes back, its entries are made anew.
   */
  release(served: readonly string[]): MaybePromise<void>;
  /** Returns references without a target: at most MAX_PROBLEMS. */
  dangling(): MaybePromise<IndexProblem[]>;
  /** Returns resources of a kind whose name is the uid of another: at most MAX_PROBLEMS. */
  misnamed(kind: string): MaybePromise<IndexProblem[]>;
  /** Records the digest of a kind; undefined for a kind without entries. */
  note(kind: string, digest: string | undefined): MaybePromise<void>;
}

/** A resource and its entries. */
export interface IndexedRow {
  id: number;
  uid: string;
  index: ResourceIndex;
}

/** The kinds whose entries are made anew, and all that the service has. */
export interface RebuiltKinds {
  changed: readonly IndexedKind[];
  served: readonly IndexedKind[];
}

/** Writes the entries of kinds anew, and returns the problems that forbid to keep them. */
export async function rebuild(
  target: RebuildTarget,
  { changed, served }: RebuiltKinds,
  progress: Progress = () => undefined,
): Promise<IndexProblem[]> {
  const problems: IndexProblem[] = [];
  for (const { kind } of changed) await target.clear(kind);
  for (const each of changed) {
    for await (const found of rebuildKind(target, each, progress)) problems.push(...found);
    await target.note(each.kind, each.entries?.digest);
    if (problems.length >= MAX_PROBLEMS) return problems.slice(0, MAX_PROBLEMS);
  }
  await target.release(served.map(({ kind }) => kind));
  problems.push(...(await target.dangling()));
  return problems.slice(0, MAX_PROBLEMS);
}

/** Returns the problems that a resource has on its own. */
export function problemsOf(
  kind: string,
  { uid }: Pick<UnplacedResource, 'uid'>,
  { tooLong, isMisnamed }: Omit<MadeEntries, 'index'>,
): IndexProblem[] {
  const names: IndexProblem[] = isMisnamed === true ? [{ kind, uid, rule: 'name', index: NAME_INDEX }] : [];
  return [...names, ...tooLong.map((index) => ({ kind, uid, rule: 'max=500' as const, index }))];
}

async function* rebuildKind(
  target: RebuildTarget,
  { kind, entries }: IndexedKind,
  progress: Progress,
): AsyncGenerator<IndexProblem[], void, void> {
  if (entries === undefined) return;
  const all = await target.count(kind);
  let [done, found] = [0, 0];
  for (let rows = await target.rows(kind, 0); rows.length > 0;) {
    const problems: IndexProblem[] = [];
    const indexed = rows.map((row): IndexedRow => {
      const made = entries.of(row);
      problems.push(...problemsOf(kind, row, made));
      return { id: row.id, uid: row.uid, index: made.index };
    });
    problems.push(...(await target.add(kind, indexed)));
    yield problems;
    found += problems.length;
    done += rows.length;
    progress(kind, done, all);
    if (found >= MAX_PROBLEMS) return;
    await setImmediate();
    rows = await target.rows(kind, rows.at(-1)!.id);
  }
  yield await target.misnamed(kind);
}

/** Returns the digests of kinds that have entries, by kind. */
export function digestsToBe(kinds: readonly IndexedKind[]): ReadonlyMap<string, string> {
  return new Map(
    kinds.flatMap(({ kind, entries }) => (entries === undefined ? [] : [[kind, entries.digest]])),
  );
}

/** Returns the kinds whose entries were made under other rules. */
export function changedKinds(
  kinds: readonly IndexedKind[],
  digests: ReadonlyMap<string, string>,
): IndexedKind[] {
  return kinds.filter(({ kind, entries }) => entries?.digest !== digests.get(kind));
}
