import type { KindDefinition } from '../../model/kinds/kind';
import type { Expansion } from '../reads/expansion';
import type { ListSelection, SelectionParameters } from '../reads/list-selection';
import type { RequestContext } from '../request/request-context';

/** Reads by fields and along references. Methods are called only for kinds with `data`. */
export interface DataReading {
  /**
   * Returns the part of a list that a request asks for, in the words of a version; undefined for a kind without selectable
   * fields. Throws HttpProblem 400.
   */
  selection(
    kind: KindDefinition,
    version: string,
    parameters: SelectionParameters,
  ): ListSelection | undefined;
  /** Returns the expansion of references in the words of a version. Throws HttpProblem 400 for a field that is none. */
  expansion(context: RequestContext, version: string, names: readonly string[]): Expansion;
}
