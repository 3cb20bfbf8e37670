import { ApiError } from '../../../../templates/client/errors';
import { nextQuery } from '../../../../templates/client/listing';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { textOf } from '../../../../templates/runtime/model/thrown';
import { connection, pathOf, type Resource } from '../../data/api';
import { InTurn } from '../../data/in-turn';

/** Resources are counted up to this number: lists carry no total. */
const MOST = 50;

/** A service with many kinds is not asked for all of them at once. */
const turns = new InTurn(3);

/** What the first page shows of the resources of a kind that the user may see. */
export interface KindFacts {
  /** Such as `7` or `50+`. */
  count: string;
  /** The resource that was changed last; absent where lists cannot be sorted. */
  changed?: Resource;
}

/** Reads at most one page of a kind. */
export function readFacts(kind: ConsoleKindSummary, signal: AbortSignal): Promise<KindFacts> {
  return turns.run(async () => {
    const query = new URLSearchParams({ limit: String(MOST) });
    if (kind.sorts) query.set('sort', '-metadata.updatedAt');
    const path = `${pathOf({ ...kind, version: kind.storageVersion })}?${query}`;
    const { value, headers } = await connection.send<Resource[]>({ method: 'GET', path }, { signal });
    const hasMore = nextQuery(headers.get('Link') ?? '') !== undefined;
    return {
      count: hasMore ? `${value.length}+` : String(value.length),
      ...(kind.sorts && { changed: value[0] }),
    };
  });
}

/** Returns the reason why a kind cannot be read. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'Sign in to see the number';
  return textOf(error);
}
