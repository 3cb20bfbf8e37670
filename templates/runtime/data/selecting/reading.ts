import type { DataReading } from '../../api/parts/data-reading';
import type { EntriesBefore, FieldSelection } from '../../api/parts/event-reading';
import type { Expansion } from '../../api/reads/expansion';
import type { ListSelection, SelectionParameters } from '../../api/reads/list-selection';
import type { RequestContext } from '../../api/request/request-context';
import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState } from '../../model/kinds/versioning';
import type { Service } from '../../service/service';
import type { ResourceIndex } from '../../store/indexing/resource-index';
import { entriesOf } from '../plan/entries';
import type { KindPlan } from '../plan/kind-plan';
import { changedEntries, fieldSelection } from './event-selection';
import { expandedReferences } from './expand';
import { listSelection } from './list';

/** The reads by fields and along references of a running service. */
export class Reading implements DataReading {
  constructor(
    private readonly service: Service,
    private readonly planOf: (kind: KindDefinition) => KindPlan,
  ) {}

  selection(
    kind: KindDefinition,
    version: string,
    parameters: SelectionParameters,
  ): ListSelection | undefined {
    return listSelection({ kind, version }, parameters);
  }

  fieldSelection(kind: KindDefinition, version: string, selectors: readonly string[]): FieldSelection {
    return fieldSelection({ kind, version }, selectors);
  }

  entriesBefore(kind: KindDefinition, before: HubState, after: ResourceIndex): EntriesBefore | undefined {
    return changedEntries(entriesOf(this.planOf(kind), before).index.fields, after.fields);
  }

  expansion(context: RequestContext, version: string, names: readonly string[]): Expansion {
    return expandedReferences({ service: this.service, context, version }, this.planOf(context.kind), names);
  }
}
