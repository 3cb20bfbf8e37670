import type { RefusedWrite } from '../api/parts/data-part';
import { below, toFragment } from '../model/fragment';
import { type Failure, HttpProblem, type ReferrerEntry } from '../model/problem';
import type { Reference } from '../store/indexes';
import { invalid } from '../validation/admission';
import { inTermsOf, pointerIn, pointerOf } from './places';
import { addressOf, valueAt } from './plan/entries';
import type { KindPlan } from './plan/kind-plan';

/** Returns the problem 400 of references without a target, with a pointer to each. */
export function missingTargets(
  plan: KindPlan,
  written: RefusedWrite,
  missing: readonly number[],
): HttpProblem {
  const { kind } = plan;
  const { references = [] } = written.index ?? {};
  const failures = missing.flatMap((position) => {
    const reference = references[position];
    const target = plan.references.find(({ field }) => field === reference.field)!.kind;
    const detail = inTermsOf(kind, written.version, `${reference.field} must name an existing ${target}`);
    return placesOf(plan, written, reference).map((pointer): Failure => {
      return { pointer: pointerIn(kind, written.version, pointer), rule: `ref=${target}`, detail };
    });
  });
  return invalid(failures);
}

/** Returns where a reference is in the hub's document: in a list it may be several times. */
function placesOf({ references }: KindPlan, { resource }: RefusedWrite, reference: Reference): string[] {
  const { path, isList, target } = references.find(({ field }) => field === reference.field)!;
  const value = valueAt(resource, path);
  if (isList !== true || !Array.isArray(value)) return [pointerOf(path)];
  return value.flatMap((text, index) =>
    typeof text === 'string' && addressOf(target, text).key === reference.key
      ? [below(pointerOf(path), index)]
      : [],
  );
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
