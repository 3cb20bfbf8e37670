import { storedCost } from '../../http/request/json-body';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { mayHoldFormerId } from '../../model/versions/version-id';
import type { Service } from '../../service/service';
import type { ListQuery, StoredResource } from '../../store/store';
import { isAsked, mayGet } from '../request/access';
import type { RequestContext } from '../request/request-context';
import type { ListMemory } from './list-memory';
import {
  CHUNK_LENGTH,
  inChunks,
  type ListChunk,
  Pace,
  positionOf,
  readResources,
  type RowChunk,
  TOGETHER,
} from './list-rows';
import type { ListPosition } from './list-selection';
import { hubOf, represent } from './representation';

/** Some members of a list as their JSON texts, joined by commas. */
export interface TextChunk<Cursor = ListPosition> extends ListChunk<Cursor> {
  joined: string;
}

/** The list to read, and the request that reads it. */
export interface Listing {
  service: Service;
  context: RequestContext;
  version: string;
  memory: ListMemory;
}

/** Resources of a kind are mostly as large as those listed before. */
const paces = new WeakMap<KindDefinition, Pace>();

/**
 * Yields a list as `version` shows it, in chunks that are read on demand, up to a position where one is given. Resources that
 * the policy refuses are left out; a chunk of nothing else has an empty text.
 */
export function listTexts(
  listing: Listing,
  query: ListQuery,
  until?: ListPosition,
): AsyncGenerator<TextChunk, void, void> {
  const { service, context, version, memory } = listing;
  const { kind } = context;
  const { store } = service;
  const collection = collectionOf(kind);
  const isJoined = !isAsked(context, 'canGet') && store.listTexts !== undefined && until === undefined;
  return paced(kind, query, async (asked) => {
    if (isJoined) {
      await memory.reserve(2 * CHUNK_LENGTH);
      const texts = await store.listTexts!(collection, { maxText: TOGETHER, ...asked }, version);
      if (texts !== undefined && !mayHoldFormerId(kind, { version, text: texts.joined })) {
        const next = texts.next === undefined ? undefined : { after: texts.next };
        return { length: texts.joined.length, ...texts, next };
      }
    }
    const { rows, ...chunk } = await readShown(listing, asked, until);
    return { joined: rows.map((row) => represent(kind, row, version).text).join(','), ...chunk };
  });
}

/** Yields the resources of a list that the caller may get, in chunks that are read on demand. */
export function listShown(
  listing: Listing,
  query: ListQuery,
  until?: ListPosition,
): AsyncGenerator<RowChunk, void, void> {
  return paced(listing.context.kind, query, (asked) => readShown(listing, asked, until));
}

function paced<Chunk extends ListChunk>(
  kind: KindDefinition,
  { limit, ...query }: ListQuery,
  read: (query: ListQuery) => Promise<Chunk>,
): AsyncGenerator<Chunk, void, void> {
  const pace = paces.get(kind) ?? new Pace();
  paces.set(kind, pace);
  const part = { from: positionOf(query), limit };
  return inChunks(part, ({ from, limit: most }) => read({ ...query, ...from, limit: most }), pace);
}

async function readShown(
  { service, context, memory }: Listing,
  query: ListQuery,
  until: ListPosition | undefined,
): Promise<RowChunk> {
  const chunk = await readResources(service.store, collectionOf(context.kind), query, memory, until);
  const rows = isAsked(context, 'canGet') ? await shown(service, context, chunk.rows) : chunk.rows;
  return { ...chunk, rows };
}

/** Returns the resources that the policy lets the caller get. Memory is reserved for them as objects. */
function shown(
  { memory }: Service,
  context: RequestContext,
  rows: StoredResource[],
): Promise<StoredResource[]> {
  return memory.spend('stored', context.res, {
    read: () => rows,
    cost: () => rows.reduce((sum, row) => sum + storedCost(row), 0),
    async action() {
      const isShown = await Promise.all(rows.map((row) => mayGet(context, hubOf(context.kind, row))));
      return rows.filter((_, index) => isShown[index]);
    },
  });
}
