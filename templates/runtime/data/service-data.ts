import type {
  DataPart,
  ReferredDeletion,
  RefusedWrite,
  SentPart,
  WriteContext,
  WrittenIn,
} from '../api/parts/data-part';
import type { EntriesBefore, FieldSelection } from '../api/parts/event-reading';
import type { Expansion } from '../api/reads/expansion';
import type { ListSelection, SelectionParameters } from '../api/reads/list-selection';
import { scopedLabels, scopeOf } from '../api/request/label-scope';
import type { ClientMetadata } from '../api/request/metadata';
import type { RequestContext } from '../api/request/request-context';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import type { HubState } from '../model/kinds/versioning';
import type { Failure, HttpProblem } from '../model/problem';
import type { Resource } from '../model/resource';
import type { Json, JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { NAME_INDEX, type Refused, type ResourceIndex } from '../store/indexing/resource-index';
import type { MaybePromise, StoredResource } from '../store/store';
import { invalid } from '../validation/admission';
import { removeReferred } from './deletion';
import { immutableFailures, longFailures, longFailuresIn } from './fields';
import type { KindPlans } from './indexed-kinds';
import { generatedName, isName, nameFailures } from './names';
import { createNamed, demandsNewName } from './new-name';
import { addressOf, entriesOf, isUidOf, unscopedKnown } from './plan/entries';
import type { KindPlan } from './plan/kind-plan';
import { MAX_REFERRERS, namedReferrers } from './referrers';
import { conflict, missingTargets, takenValues } from './refusals';
import { changedEntries, fieldSelection } from './selecting/event-selection';
import { expandedReferences } from './selecting/expand';
import { listSelection } from './selecting/list';
import { Targets } from './targets';

/** Number of names that are generated for a create before it is refused. */
const MAX_GENERATED = 20;

/** Names, fields and references of a running service. */
export class ServiceData implements DataPart {
  #plans: KindPlans = new Map();

  constructor(private readonly service: Service) {}

  /** Sets the plans of the kinds. Everything else is called afterwards. */
  use(plans: KindPlans): void {
    this.#plans = plans;
  }

  find(kind: KindDefinition, uidOrName: string): MaybePromise<StoredResource | undefined> {
    const { store } = this.service;
    if (isUidOf(kind.uidPrefix, uidOrName)) return store.get(collectionOf(kind), uidOrName);
    // A name of another form is from before names were unique.
    if (!isName(uidOrName)) return undefined;
    const found = store.indexes!.findAll(collectionOf(kind), [addressOf(kind, uidOrName)]);
    return found instanceof Promise ? found.then(([row]) => row) : found[0];
  }

  failuresOf(kind: KindDefinition, sent: SentPart): Failure[] {
    const names =
      kind.data?.uniqueNames === true && sent.client !== undefined
        ? nameFailures(kind.uidPrefix, sent.client, sent.shown?.metadata)
        : [];
    return [...names, ...longFailures(this.#planOf(kind), sent)];
  }

  changedFields(kind: KindDefinition, before: Resource, spec: JsonObject, version: string): Failure[] {
    return immutableFailures(this.#planOf(kind), before, spec, version);
  }

  namedMetadata({ data, uidPrefix }: KindDefinition, client: ClientMetadata): ClientMetadata {
    const { name, generateName } = client;
    if (data?.uniqueNames !== true || name !== undefined || generateName === undefined) return client;
    return { ...client, name: generatedName(uidPrefix, generateName) };
  }

  createNamed(context: RequestContext, version: string, body: Json): Promise<void> | undefined {
    return demandsNewName(context) ? createNamed(this.service, context, version, body) : undefined;
  }

  indexOf({ kind, req }: WriteContext, state: HubState, { version, before }: WrittenIn): ResourceIndex {
    const plan = this.#planOf(kind);
    const scope = scopedLabels(undefined, req === undefined ? [] : scopeOf(req)) ?? {};
    const { index, tooLong } = entriesOf(plan, state, scope);
    if (tooLong.length > 0) throw invalid(longFailuresIn(kind, version, tooLong));
    if (before === undefined || Object.keys(scope).length === 0) return index;
    return { ...index, references: unscopedKnown(plan, index.references, before) };
  }

  async refuse(context: RequestContext, written: RefusedWrite, refused: Refused): Promise<void> {
    const plan = this.#planOf(context.kind);
    const { taken, missing, isReferred } = refused;
    if (missing.length > 0) throw missingTargets(plan, written, missing);
    const { generated = 0 } = written;
    const isOnlyName = taken.length === 1 && taken[0] === NAME_INDEX;
    if (generated > 0 && generated < MAX_GENERATED && isOnlyName) return;
    throw await this.#clash(context, written, isReferred, takenValues(plan, written.version, taken));
  }

  remove(context: RequestContext, deletion: ReferredDeletion): Promise<'done' | 'conflict'> {
    return removeReferred({ ...deletion, service: this.service, plans: this.#plans, context });
  }

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
    return changedEntries(entriesOf(this.#planOf(kind), before).index.fields, after.fields);
  }

  expansion(context: RequestContext, version: string, names: readonly string[]): Expansion {
    return expandedReferences({ service: this.service, context, version }, this.#planOf(context.kind), names);
  }

  async #clash(
    context: RequestContext,
    { id, version, before }: RefusedWrite,
    isReferred: boolean,
    failures: Failure[],
  ): Promise<HttpProblem> {
    if (!isReferred || id === undefined || before === undefined) return conflict(failures, undefined);
    const { store } = this.service;
    const byName = (await store.indexes!.referrers([id], MAX_REFERRERS)).filter(
      ({ index }) => index === NAME_INDEX,
    );
    const targets = new Targets();
    targets.add(context.kind, before.metadata.name);
    const referrers = await namedReferrers({ store, plans: this.#plans }, context, {
      version,
      referrers: byName,
      targets,
    });
    return conflict(failures, referrers);
  }

  #planOf(kind: KindDefinition): KindPlan {
    return this.#plans.get(collectionOf(kind))!;
  }
}
