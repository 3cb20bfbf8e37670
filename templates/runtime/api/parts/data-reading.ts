import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { ResourceIndex } from '../../store/indexes';
import type { Expansion } from '../reads/expansion';
import type { ListSelection, SelectionParameters } from '../reads/list-selection';
import type { RequestContext } from '../request/request-context';

/** The entries of a resource before a write, in those of its indexes that the write changes. */
export interface EntriesBefore {
  [index: string]: string[];
}

/** A selection of resources by fields, besides a list. */
export interface FieldSelection {
  /** Returns whether a resource, as the version of the selection shows it, is selected. */
  selects(shown: Resource): boolean;
  /** Returns whether it was selected before a write; `hub` is the storage version at that time. */
  selected(shown: Resource, before: EntriesBefore, hub: string): boolean;
}

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
  /**
   * Returns the selection of events by fields, in the words of a version. Throws HttpProblem 400, also for a kind without
   * selectable fields.
   */
  fieldSelection(kind: KindDefinition, version: string, selectors: readonly string[]): FieldSelection;
  /** Returns the entries before a write that it changes; undefined where there are none. */
  entriesBefore(kind: KindDefinition, before: HubState, after: ResourceIndex): EntriesBefore | undefined;
  /** Returns the expansion of references in the words of a version. Throws HttpProblem 400 for a field that is none. */
  expansion(context: RequestContext, version: string, names: readonly string[]): Expansion;
}
