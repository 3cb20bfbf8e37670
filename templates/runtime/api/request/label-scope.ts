import type { Request } from 'express';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import { type Labels, matches, type Requirement } from '../../model/selectors/selector';
import { refuseManyLabels } from './metadata';

const SCOPE = Symbol('label scope');

/**
 * Confines a request to the resources that carry these labels, such as `{ tenant: 'acme' }`: lists show no
 * others, others return 404 on every endpoint, and what is created gets the labels. Call it in middleware before the routes.
 * Several calls add up, so that no middleware widens what another has set: scopes that contradict each other show nothing.
 * Throws a TypeError for a value that is not a string.
 */
export function setLabelScope(req: Request, labels: Labels): void {
  const added = Object.entries(labels).map(([key, value]): Requirement => {
    if (typeof value !== 'string') throw new TypeError(`the label scope ${key} must be a string`);
    return { key, operator: 'in', values: [value] };
  });
  Object.assign(req, { [SCOPE]: [...scopeOf(req), ...added] });
}

/** Returns the scope as conditions of a selector; it is empty when there is none. */
export function scopeOf(req: Request): Requirement[] {
  return (req as { [SCOPE]?: Requirement[] })[SCOPE] ?? [];
}

/** Returns whether something with these labels, a resource or a snapshot, is within a scope. */
export function inScope(
  { labels = {} }: Pick<Resource['metadata'], 'labels'>,
  scope: Requirement[],
): boolean {
  return matches(labels, scope);
}

/**
 * Returns the labels of a resource that is written within a scope: those of the scope are added where absent.
 * Throws HttpProblem 403 for a label that would put the resource outside, and for a scope that contradicts itself, and 400
 * for too many labels together.
 */
export function scopedLabels(labels: Labels | undefined, scope: Requirement[]): Labels | undefined {
  if (scope.length === 0) return labels;
  const required = new Map<string, string>();
  for (const { key, values } of scope) {
    const value = values[0];
    if ((required.get(key) ?? value) !== value)
      throw new HttpProblem(
        403,
        `This request may not write: its label scopes contradict each other in ${key}.`,
      );
    required.set(key, value);
  }
  const added = { ...labels };
  for (const [key, value] of required) {
    if (Object.hasOwn(added, key) && added[key] !== value)
      throw new HttpProblem(403, `The label ${key} must be ${value}.`);
    added[key] = value;
  }
  refuseManyLabels(Object.keys(added).length);
  return added;
}
