import type { DataPart, SentPart, WriteContext, WrittenIn } from '../api/parts/data-part';
import { scopedLabels, scopeOf } from '../api/request/label-scope';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import type { HubState } from '../model/kinds/versioning';
import type { Failure } from '../model/problem';
import type { Service } from '../service/service';
import type { ResourceIndex } from '../store/indexing/resource-index';
import type { MaybePromise, StoredResource } from '../store/store';
import { invalid } from '../validation/admission';
import { removeReferred } from './deletion';
import { immutableFailures, longFailures, longFailuresIn } from './fields';
import type { KindPlans } from './indexed-kinds';
import { isName, namedMetadata, nameFailures } from './names';
import { createNamed } from './new-name';
import { addressOf, entriesOf, isUidOf, unscopedKnown } from './plan/entries';
import type { KindPlan } from './plan/kind-plan';
import { refuse } from './refusals';
import { changedEntries, fieldSelection } from './selecting/event-selection';
import { expandedReferences } from './selecting/expand';
import { listSelection } from './selecting/list';

/** Returns names, fields and references of a running service. `plans` returns the plans of its kinds; it is called by requests. */
export function dataPart(service: Service, plans: () => KindPlans): DataPart {
  const planOf = (kind: KindDefinition): KindPlan => plans().get(collectionOf(kind))!;
  return {
    find: (kind, uidOrName) => find(service, kind, uidOrName),
    failuresOf: (kind, sent) => failuresOf(planOf(kind), sent),
    changedFields: (kind, before, spec, version) => immutableFailures(planOf(kind), before, spec, version),
    namedMetadata,
    createNamed: (...put) => createNamed(service, ...put),
    indexOf: (context, state, written) => indexOf(planOf(context.kind), context, state, written),
    refuse: (context, written, refused) =>
      refuse({ store: service.store, plans: plans() }, context, written, refused),
    remove: (context, deletion) => removeReferred({ ...deletion, service, plans: plans(), context }),
    selection: (kind, version, parameters) => listSelection({ kind, version }, parameters),
    fieldSelection: (kind, version, selectors) => fieldSelection({ kind, version }, selectors),
    entriesBefore: (kind, before, after) =>
      changedEntries(entriesOf(planOf(kind), before).index.fields, after.fields),
    expansion: (context, version, names) =>
      expandedReferences({ service, context, version }, planOf(context.kind), names),
  };
}

function find(
  { store }: Service,
  kind: KindDefinition,
  uidOrName: string,
): MaybePromise<StoredResource | undefined> {
  if (isUidOf(kind.uidPrefix, uidOrName)) return store.get(collectionOf(kind), uidOrName);
  // A name of another form is from before names were unique.
  if (!isName(uidOrName)) return undefined;
  const found = store.indexes!.findAll(collectionOf(kind), [addressOf(kind, uidOrName)]);
  return found instanceof Promise ? found.then(([row]) => row) : found[0];
}

function failuresOf(plan: KindPlan, sent: SentPart): Failure[] {
  const { data, kind } = plan;
  const { client, shown } = sent;
  const isNamed = data.uniqueNames === true && client !== undefined;
  const names = isNamed ? nameFailures(kind.uidPrefix, client, shown?.metadata) : [];
  return [...names, ...longFailures(plan, sent)];
}

function indexOf(
  plan: KindPlan,
  { kind, req }: WriteContext,
  state: HubState,
  { version, before }: WrittenIn,
): ResourceIndex {
  const scope = scopedLabels(undefined, req === undefined ? [] : scopeOf(req)) ?? {};
  const { index, tooLong } = entriesOf(plan, state, scope);
  if (tooLong.length > 0) throw invalid(longFailuresIn(kind, version, tooLong));
  if (before === undefined || Object.keys(scope).length === 0) return index;
  return { ...index, references: unscopedKnown(plan, index.references, before) };
}
