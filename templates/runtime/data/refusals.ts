import type { RefusedWrite } from '../api/parts/data-part';
import { toFragment } from '../model/fragment';
import { type Failure, HttpProblem, MAX_FAILURES, type ReferrerEntry } from '../model/problem';
import { invalid } from '../validation/admission';
import { inTermsOf, pointerIn, pointerOf } from './places';
import type { KindPlan } from './plan/kind-plan';
import { placesOf, Targets } from './targets';

/** Returns the problem 400 of references without a target, with a pointer to each. */
export function missingTargets(
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
export function takenValues(
  { kind, unique }: KindPlan,
  version: string,
  taken: readonly string[],
): Failure[] {
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
