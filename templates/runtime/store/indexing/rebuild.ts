import { setImmediate } from 'node:timers/promises';
import type { MaybePromise, StoredResource } from '../store';
import { type IndexedKind, type IndexProblem, MAX_PROBLEMS, type Progress } from './index-state';
import type { ResourceIndex } from './resource-index';

/** The tables that entries are written into, in a transaction that the caller began. */
export interface RebuildTarget {
  count(kind: string): MaybePromise<number>;
  /** Returns some resources of a kind, after the one with this id. */
  rows(kind: string, after: number): MaybePromise<StoredResource[]>;
  /** Removes the entries of a kind. */
  clear(kind: string): MaybePromise<void>;
  /** Adds the entries of some resources, and returns those with taken keys. */
  add(kind: string, rows: readonly IndexedRow[]): MaybePromise<IndexProblem[]>;
  /** Returns references without a target: at most `limit`. */
  dangling(limit: number): MaybePromise<IndexProblem[]>;
  /** Returns resources of a kind whose name is the uid of another: at most `limit`. */
  misnamed(kind: string, limit: number): MaybePromise<IndexProblem[]>;
  /** Records the digest of a kind; undefined for a kind without entries. */
  note(kind: string, digest: string | undefined): MaybePromise<void>;
}

/** A resource and its entries. */
export interface IndexedRow {
  id: number;
  uid: string;
  index: ResourceIndex;
}

/**
 * Writes the entries of kinds anew, and returns the problems that forbid to keep them. `served` are all kinds of this
 * process: it cannot report anything about others, which may come back.
 */
export async function rebuild(
  target: RebuildTarget,
  kinds: readonly IndexedKind[],
  served: readonly IndexedKind[] = kinds,
  progress: Progress = () => undefined,
): Promise<IndexProblem[]> {
  const problems: IndexProblem[] = [];
  for (const { kind } of kinds) await target.clear(kind);
  for (const each of kinds) {
    for await (const found of rebuildKind(target, each, progress)) problems.push(...found);
    await target.note(each.kind, each.entries?.digest);
    if (problems.length >= MAX_PROBLEMS) return problems.slice(0, MAX_PROBLEMS);
  }
  problems.push(...(await danglingOf(target, served)));
  return problems.slice(0, MAX_PROBLEMS);
}

/**
 * Returns references without a target. A kind that is no longer served loses its entries where its targets can no longer be
 * referred to; if it comes back, they are made anew.
 */
async function danglingOf(target: RebuildTarget, served: readonly IndexedKind[]): Promise<IndexProblem[]> {
  const names = new Set(served.map(({ kind }) => kind));
  for (;;) {
    const dangling = await target.dangling(MAX_PROBLEMS);
    const gone = new Set(dangling.map(({ kind }) => kind).filter((kind) => !names.has(kind)));
    if (gone.size === 0) return dangling;
    for (const kind of gone) {
      await target.clear(kind);
      await target.note(kind, undefined);
    }
  }
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
      const { index, tooLong } = entries.of(row);
      for (const field of tooLong) problems.push({ kind, uid: row.uid, rule: 'max=500', index: field });
      return { id: row.id, uid: row.uid, index };
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
  yield await target.misnamed(kind, MAX_PROBLEMS);
}
