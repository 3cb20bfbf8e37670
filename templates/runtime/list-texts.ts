import type { KindDefinition } from './kind';
import { inChunks, readRows, type ListChunk } from './list-rows';
import { represent } from './representation';
import type { ListQuery, Store } from './store/store';

/** Some resources of a list as their JSON texts, joined by commas. */
export interface TextChunk extends ListChunk {
  joined: string;
}

/** A list as `version` answers it, in chunks that are read as they are asked for; none is empty. */
export function listTexts(
  store: Store,
  kind: KindDefinition,
  query: ListQuery,
  version: string,
): AsyncGenerator<TextChunk, void, void> {
  const collection = `${kind.group}/${kind.kind}`;
  return inChunks(query, async (part) => {
    const texts = await store.listTexts?.(collection, part, version);
    if (texts !== undefined) return { ...texts, length: texts.joined.length };
    const { rows, ...chunk } = await readRows(store, collection, part);
    return { ...chunk, joined: rows.map((row) => represent(kind, row, version).text).join(',') };
  });
}
