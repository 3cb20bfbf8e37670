import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import type { StoredResource } from '../../store/store';
import type { RequestContext } from '../request/request-context';
import type { Pieces } from './json-array';
import type { ListMemory } from './list-memory';

/** The references of a kind whose targets a request asks for. */
export interface Expansion {
  /** The kinds of the targets. */
  kinds: readonly KindDefinition[];
  /**
   * Yields resources as JSON texts in the requested version, each with its targets under `expanded`, as far as the caller may
   * get them. It reserves memory for the targets in place of what `memory` holds.
   */
  texts(rows: readonly StoredResource[], memory: ListMemory): Pieces;
  /** Sends the resource that the request names, with its targets. Throws HttpProblem. */
  show(): Promise<void>;
}

/** Returns the expansion of references by their names. Throws HttpProblem 400 for a field that is no reference. */
export function expansionOf(
  { data }: Pick<Service, 'data'>,
  context: RequestContext,
  version: string,
  names: readonly string[],
): Expansion {
  const { kind } = context;
  if (kind.data?.references === undefined || data === undefined)
    throw new HttpProblem(
      400,
      `The query parameter "expand" is about references, and ${kind.kind} has none.`,
    );
  return data.expansion(context, version, names);
}
