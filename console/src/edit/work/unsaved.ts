import type { Maybe } from '../../../../templates/runtime/model/fields/values';
import type { Collection, Tagged } from '../../data/api';
import type { Draft } from '../../data/resource';
import { tabStorage } from '../../data/storage';
import type { Notation } from '../../data/yaml';

/** Inputs that are no values yet, such as `12e` in a field for numbers, by the pointer of their field. */
interface Held {
  [pointer: string]: string;
}

/** The value that a user has decided on in a merge. `held` has the inputs of it that are no values. */
export type Decision = { take: 'mine' | 'theirs' } | { take: 'merge'; value: Maybe; held?: Held };

/** The decisions on fields, by their keys. */
export interface Decisions {
  [key: string]: Decision;
}

/** What a user has changed and not saved yet. */
export interface Work {
  draft: Draft;
  /** The resource that the changes were made to; absent for a new one. */
  base?: Tagged;
  /** The text that is being edited. The draft is its value, or the last value that it had. */
  text?: { notation: Notation; text: string; error?: string };
  /** The key of the request that creates the draft: a repetition makes no second resource, also after a reload. */
  key?: string;
  held: Held;
  /** The state that somebody else has written, while the user decides field by field, and the choices so far. */
  merge?: { theirs: Tagged; decisions: Decisions };
}

/** The draft of an existing resource, and the state that it was made from. */
export type WorkOnBase = Required<Pick<Work, 'base' | 'draft'>>;

const PREFIX = 'console.unsaved';

/** Returns the name of the unsaved work of a resource, or of its status, in one version. */
export function workKey(
  { group, version, plural }: Collection,
  uid: string,
  part: 'spec' | 'status' = 'spec',
): string {
  return [PREFIX, group, version, plural, uid, ...(part === 'status' ? [part] : [])].join('/');
}

/** Returns the unsaved work of this tab; undefined where there is none. */
export function readWork(key: string): Work | undefined {
  try {
    return (JSON.parse(tabStorage.getItem(key) ?? 'null') as Work | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores unsaved work for this tab, or removes it. Returns false for work that a reload would lose. */
export function writeWork(key: string, work: Work | undefined): boolean {
  try {
    if (work === undefined) tabStorage.removeItem(key);
    else tabStorage.setItem(key, JSON.stringify(work));
    return tabStorage.isLasting || work === undefined;
  } catch {
    tabStorage.removeItem(key);
    return false;
  }
}

/** Returns whether every input of a work is a value. */
export function canSave({ text, held }: Work): boolean {
  return text?.error === undefined && Object.keys(held).length === 0;
}
