import type { KindDefinition } from '../../model/kinds/kind';
import { documentOf, type HubState, type Part, versioningOf } from '../../model/kinds/versioning';
import { isKey, keysAbove, listsAbove, parentOf } from './field-path';
import { type Fields, fieldsOf, isSameIn } from './fields';

/**
 * The fields of a part of a resource in the storage version, and where another version shows them. A field has an id: its
 * pointer in the storage version, or, for one that only another version has, the name of that version and the pointer
 * there, such as `v2beta1/spec/nickname`.
 */
export class Places {
  /** The fields of the version that show each field, by id. */
  readonly shown = new Map<string, readonly string[]>();
  /** The fields of the version. */
  readonly fields: Fields;
  readonly #hub: Fields;
  /** The elements that the version shows without their keys, as entries of a map: their pointers, by the ids of the keys. */
  readonly #entries: ReadonlyMap<string, string> = new Map();

  constructor(kind: KindDefinition, state: HubState, version: string, part: Part) {
    this.#hub = fieldsOf(kind, kind.storageVersion, state.hub, part);
    if (version === kind.storageVersion) {
      this.fields = this.#hub;
      for (const id of this.#hub.keys()) this.shown.set(id, [id]);
      return;
    }
    const view = versioningOf(kind).shownIn(kind, state, version);
    this.fields = fieldsOf(kind, version, view, part);
    const documents = { hub: documentOf(state.hub), spoke: documentOf(view) };
    const locate: Locate = (place) => versioningOf(kind).pointerIn(kind, version, place, documents);
    for (const [id, pointers] of matched(this.#hub, this.fields, locate)) this.shown.set(id, pointers);
    const found = new Set([...this.shown.values()].flat());
    for (const pointer of this.fields.keys())
      if (!found.has(pointer)) this.shown.set(`${version}${pointer}`, [pointer]);
    const hidden = [...this.#hub].filter(([id]) => !this.shows(id) && isKey(id));
    this.#entries = entriesOf(new Map(hidden), this.fields, locate);
  }

  /** Returns whether the version shows a field, or the element that it is the key of. */
  shows(id: string): boolean {
    return (this.shown.get(id)?.length ?? 0) > 0 || this.#entries.has(id);
  }

  /** Returns the fields of the version that show fields with these ids. The key of an entry of a map stands for the entry. */
  pointersOf(ids: Iterable<string>): Set<string> {
    return new Set([...ids].flatMap((id) => this.#entries.get(id) ?? this.shown.get(id) ?? []));
  }

  /** Returns the ids of the fields that any of these pointers of the version shows, and of the keys of entries around them. */
  idsOf(pointers: { has(pointer: string): boolean }): string[] {
    const ids = [...this.shown].flatMap(([id, shown]) =>
      shown.some((each) => pointers.has(each)) ? [id] : [],
    );
    const keys = new Set(ids.flatMap(keysAbove));
    const entries = [...this.#entries].filter(([key, entry]) => keys.has(key) || pointers.has(entry));
    return [...ids, ...entries.map(([key]) => key)];
  }

  /**
   * Returns the ids without those of fields that the version shows and its writer has not sent. A conversion rule filled these
   * in; a writer that owned them would remove them with its next apply.
   */
  sentOf(ids: ReadonlySet<string>, sent: { has(pointer: string): boolean }): string[] {
    const isFilled = (pointer: string): boolean => !pointer.startsWith('/metadata/') && !sent.has(pointer);
    return [...ids].filter((id) => {
      const shown = this.shown.get(id) ?? [];
      return shown.length === 0 || !shown.every(isFilled);
    });
  }

  /**
   * Returns the ids of the fields that have other values than before, or are new. A value that only the view of the version
   * has anew, such as a preserved one, counts for all fields that it shows.
   */
  changedSince(before: Places | undefined): Set<string> {
    if (before === undefined) return new Set(this.shown.keys());
    const changed = new Set([...this.#hub.keys()].filter((id) => !isSameIn(this.#hub, before.#hub, id)));
    const explained = this.pointersOf(changed);
    const isNew = (pointer: string): boolean =>
      !explained.has(pointer) && !isSameIn(this.fields, before.fields, pointer);
    // A key is shown where its entry has nothing else any more.
    for (const [id, pointers] of this.shown)
      if (!before.#entries.has(id) && pointers.some(isNew)) changed.add(id);
    return changed;
  }

  /**
   * Returns the present ids of noted fields. A list may have been one field when its owners were noted, and be several since
   * project.yaml names a key for it, or the reverse.
   */
  currentIds(noted: Iterable<string>): string[] {
    const ids = [...noted];
    const insideOf = membersOf(
      ids.filter((id) => !this.shown.has(id)),
      this.shown.keys(),
    );
    return ids.flatMap((id) => {
      if (this.shown.has(id)) return id;
      const inside = insideOf.get(id)!;
      const list = listsAbove(id).find((each) => this.shown.has(each));
      return inside.length > 0 ? inside : (list ?? id);
    });
  }

  /** Returns the ids of the fields that are gone since. */
  goneSince(before: Places | undefined): Set<string> {
    return new Set([...(before?.shown.keys() ?? [])].filter((id) => !this.shown.has(id)));
  }
}

/** Returns the pointers of the entries of maps that keys of elements are shown as, by the ids of the keys. */
function entriesOf(keys: Fields, fields: Fields, locate: Locate): Map<string, string> {
  const pointers = keys.size === 0 ? new Map<string, string>() : containersOf(fields);
  const entries = new Map<string, string>();
  for (const [id, { place }] of keys) {
    const element = parentOf(place);
    const entry = locate(element);
    const pointer = pointers.get(entry);
    if (pointer !== undefined && entry !== locate(parentOf(element))) entries.set(id, pointer);
  }
  return entries;
}

/** Returns the pointers of what fields are in, by their places. */
function containersOf(fields: Fields): Map<string, string> {
  const containers = new Map<string, string>();
  for (const [pointer, { place }] of fields) {
    let [above, at] = [parentOf(pointer), parentOf(place)];
    while (at !== '' && !containers.has(at)) {
      containers.set(at, above);
      [above, at] = [parentOf(above), parentOf(at)];
    }
  }
  return containers;
}

/** Returns the place in a version of a place in the storage version, or of its nearest parent. */
type Locate = (pointer: string) => string;

/**
 * Returns the fields of a version that show each field of the storage version. A place may lead into a list that is one field,
 * or to an object or list, whose fields it then stands for as far as no other field has them.
 */
function matched(hub: Fields, fields: Fields, locate: Locate): Map<string, string[]> {
  const located = new Map([...hub].map(([id, { place }]) => [id, locate(place)]));
  const byPlace = new Map([...fields].map(([pointer, { place }]) => [place, pointer]));
  const shown = new Map<string, string[]>();
  for (const [id, place] of located) shown.set(id, fieldAt(byPlace, place));
  const taken = new Set([...shown.values()].flat());
  const followed = [...located].filter(
    ([id, place]) => shown.get(id)!.length === 0 && place !== locate(parentOf(hub.get(id)!.place)),
  );
  const left = [...byPlace].flatMap(([place, pointer]) => (taken.has(pointer) ? [] : [place]));
  const insideOf = membersOf(
    followed.map(([, place]) => place),
    left,
  );
  for (const [id, place] of followed)
    shown.set(
      id,
      insideOf.get(place)!.map((each) => byPlace.get(each)!),
    );
  return shown;
}

/** Returns the paths inside each container, at any depth. */
function membersOf(containers: readonly string[], paths: Iterable<string>): Map<string, string[]> {
  const members = new Map(containers.map((container) => [container, [] as string[]]));
  if (members.size === 0) return members;
  for (const path of paths)
    for (let above = path; above.includes('/');) {
      above = parentOf(above);
      members.get(above)?.push(path);
    }
  return members;
}

/** Returns the field that a place leads to or into, if there is one. */
function fieldAt(byPlace: ReadonlyMap<string, string>, place: string): string[] {
  for (let at = place; at.includes('/', 1); at = parentOf(at)) {
    const pointer = byPlace.get(at);
    if (pointer !== undefined) return [pointer];
  }
  return [];
}

/**
 * Returns ids of fields as another version than that of the fields knows them: with the fields of the storage version that
 * other versions divide into several, of which these are some.
 */
export function withWholes(kind: KindDefinition, version: string, ids: Iterable<string>): string[] {
  return [...ids].flatMap((id) => [id, ...wholesOf(kind, version, id)]);
}

/** Returns the fields of the storage version that a field of a version other than `version` is a part of. */
export function wholesOf(kind: KindDefinition, version: string, id: string): string[] {
  const start = id.indexOf('/');
  const own = id.slice(0, start);
  return own === '' || own === version ? [] : versioningOf(kind).wholesOf(kind, own, id.slice(start));
}
