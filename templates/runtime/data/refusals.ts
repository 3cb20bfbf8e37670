import type { RefusedWrite } from '../api/parts/data-part';
import type { RequestContext } from '../api/request/request-context';
import { toFragment } from '../model/fragment';
import { collectionOf } from '../model/kinds/kind';
import { type Failure, HttpProblem, MAX_FAILURES, type ReferrerEntry } from '../model/problem';
import { NAME_INDEX, type Refused } from '../store/indexing/resource-index';
import type { Store } from '../store/store';
import { invalid } from '../validation/admission';
import type { KindPlans } from './indexed-kinds';
import { inTermsOf, pointerIn, pointerOf } from './places';
import type { KindPlan } from './plan/kind-plan';
import { MAX_REFERRERS, namedReferrers } from './referrers';
import { placesOf, Targets } from './targets';

/** Number of names that are generated for a create before it is refused. */
const MAX_GENERATED = 20;

/** Throws the HttpProblem of a refused create or update. It returns where a create should try another generated name. */
export async function refuse(
  { store, plans }: { store: Store; plans: KindPlans },
  context: RequestContext,
  written: RefusedWrite,
  { taken, missing, isReferred }: Refused,
): Promise<void> {
  const { kind } = context;
  const plan = plans.get(collectionOf(kind))!;
  if (missing.length > 0) throw missingTargets(plan, written, missing);
  const { id, version, before, generated = 0 } = written;
  const isOnlyName = taken.length === 1 && taken[0] === NAME_INDEX;
  if (generated > 0 && generated < MAX_GENERATED && isOnlyName) return;
  const failures = takenValues(plan, version, taken);
  if (!isReferred || id === undefined || before === undefined) throw conflict(failures, undefined);
  const all = await store.indexes!.referrers([id], MAX_REFERRERS);
  const referrers = all.filter(({ index }) => index === NAME_INDEX);
  const targets = new Targets();
  targets.add(kind, before.metadata.name);
  const named = { version, referrers, targets };
  throw conflict(failures, await namedReferrers({ store, plans }, context, named));
}

/** Returns the problem 400 of references without a target, with a pointer to each. */
function missingTargets(
  plan: KindPlan,
  { version, resource, index }: RefusedWrite,
  missing: readonly number[],
): HttpProblem {
  const { kind } = plan;
  const references = missing.map((position) => index!.references[position]);
  const failures = plan.references.flatMap((field): Failure[] => {
    const targets = new Targets();
    targets.addNamed(references.filter((reference) => reference.field === field.field));
    const detail = inTermsOf(kind, version, `${field.field} must name an existing ${field.kind}`);
    const places = placesOf(field, resource, targets).slice(0, MAX_FAILURES);
    return places.map((pointer) => {
      return { pointer: pointerIn(kind, version, pointer), rule: `ref=${field.kind}`, detail };
    });
  });
  return invalid(failures);
}

/** Returns the failures of values that other resources have, with pointers into the document of `version`. */
function takenValues({ kind, unique }: KindPlan, version: string, taken: readonly string[]): Failure[] {
  return taken.map((index) => {
    const field = unique.find((each) => each.index === index);
    const text = `is that of another ${kind.kind}`;
    if (field === undefined)
      return { pointer: '/metadata/name', rule: 'unique', detail: `metadata.name ${text}` };
    const pointer = pointerIn(kind, version, pointerOf(field.path));
    return { pointer, rule: 'unique', detail: inTermsOf(kind, version, `${index} ${text}`) };
  });
}

/** Returns the problem 409 with every clash of a write. */
export function conflict(failures: readonly Failure[], referrers: ReferrerEntry[] | undefined): HttpProblem {
  const reasons = failures.map(({ detail }) => detail);
  if (referrers !== undefined) reasons.push('other resources refer to it');
  return new HttpProblem(409, `Conflict: ${reasons.join('; ')}`, {
    ...(failures.length > 0 && {
      errors: failures.map((each) => ({ ...each, pointer: toFragment(each.pointer) })),
    }),
    ...(referrers !== undefined && { referrers }),
  });
}
