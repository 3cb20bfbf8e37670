import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { Service } from '../../service/service';
import type { ResourceIndex } from '../../store/indexes';
import { notSelectable } from '../reads/list-selection';

/** The entries of a resource before a write, in those of its indexes that the write changes. */
export interface EntriesBefore {
  [index: string]: string[];
}

/** A selection of resources by fields, besides a list. */
export interface FieldSelection {
  /**
   * Returns whether a resource, as the version of the selection shows it, is selected. With its entries before a write, it returns
   * whether it was.
   */
  selects(shown: Resource, before?: EntriesBefore): boolean;
}

/** Returns what field selectors select, in the words of a version. Throws HttpProblem 400. */
export function fieldSelectionOf(
  { data }: Pick<Service, 'data'>,
  kind: KindDefinition,
  version: string,
  selectors: readonly string[],
): FieldSelection {
  if (kind.data === undefined || data === undefined) throw notSelectable(kind, 'fieldSelector');
  return data.fieldSelection(kind, version, selectors);
}

declare module './data-part' {
  interface DataPart {
    /**
     * Returns the selection of events by fields, in the words of a version. Throws HttpProblem 400, also for a kind without
     * selectable fields.
     */
    fieldSelection(kind: KindDefinition, version: string, selectors: readonly string[]): FieldSelection;
    /** Returns the entries before a write that it changes; undefined where there are none. */
    entriesBefore(kind: KindDefinition, before: HubState, after: ResourceIndex): EntriesBefore | undefined;
  }
}
