import { collectionOf, type KindDefinition } from './kind';
import { inChunks, Pace, readResources, readRows, type ListChunk } from './list-rows';
import { represent, representSnapshot } from './representation';
import type { ListQuery, Store } from './store/store';

/** Some members of a list as their JSON texts, joined by commas. */
export interface TextChunk<Cursor = number> extends ListChunk<Cursor> {
  joined: string;
}

/** Resources of a kind are mostly as large as those that were listed before. */
const paces = new WeakMap<KindDefinition, Pace>();

/** A list as `version` answers it, in chunks that are read as they are asked for; none is empty. */
export function listTexts(
  store: Store,
  kind: KindDefinition,
  query: ListQuery,
  version: string,
): AsyncGenerator<TextChunk, void, void> {
  const collection = collectionOf(kind);
  const pace = paces.get(kind) ?? new Pace();
  paces.set(kind, pace);
  const read = async (part: Pick<ListQuery, 'after' | 'limit'>): Promise<TextChunk> => {
    const asked = { ...query, ...part };
    const texts = await store.listTexts?.(collection, asked, version);
    if (texts !== undefined) return { ...texts, length: texts.joined.length };
    const { rows, ...chunk } = await readResources(store, collection, asked);
    return { ...chunk, joined: rows.map((row) => represent(kind, row, version).text).join(',') };
  };
  return inChunks(query, read, pace);
}

/** The snapshots of a resource as `version` answers them, oldest first, in chunks like those of a list. */
export function snapshotTexts(
  store: Store,
  kind: KindDefinition,
  uid: string,
  version: string,
): AsyncGenerator<TextChunk<string>, void, void> {
  const collection = collectionOf(kind);
  return inChunks({ after: '', limit: Infinity }, async (part): Promise<TextChunk<string>> => {
    const { rows, ...chunk } = await readRows(
      part.limit,
      (limit) => store.listSnapshots(collection, uid, { ...part, limit }),
      ({ versionId }) => versionId,
    );
    return { ...chunk, joined: rows.map((row) => representSnapshot(kind, row, version)).join(',') };
  });
}
