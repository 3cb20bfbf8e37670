import type { Request } from 'express';
import { HttpProblem } from './problem';
import type { Resource } from './resource';
import { matches, type Requirement } from './selector';

const SCOPE = Symbol('label scope');

/**
 * Confines a request to the resources that carry these labels, such as `{ tenant: 'acme' }`: lists show no
 * others, others are 404 on every endpoint, what is created gets the labels. For middleware in front of the routes.
 */
export function setLabelScope(req: Request, labels: { [key: string]: string }): void {
  Object.assign(req, { [SCOPE]: labels });
}

/** The scope as conditions of a selector; empty when there is none. */
export function scopeOf(req: Request): Requirement[] {
  const labels = (req as { [SCOPE]?: { [key: string]: string } })[SCOPE];
  if (labels === undefined) return [];
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'in', values: [value] }));
}

/** Whether a resource is within a scope. */
export function inScope(resource: Resource, scope: Requirement[]): boolean {
  return matches(resource.metadata.labels ?? {}, scope);
}

/**
 * The labels of a resource that is written within a scope: those of the scope are added where absent.
 * Throws HttpProblem 403 for a label that would put the resource outside.
 */
export function scopedLabels(
  labels: { [key: string]: string } | undefined,
  scope: Requirement[],
): { [key: string]: string } | undefined {
  if (scope.length === 0) return labels;
  const added = { ...labels };
  for (const { key, values } of scope) {
    const value = values[0];
    if (Object.hasOwn(added, key) && added[key] !== value)
      throw new HttpProblem(403, `The label ${key} must be ${value}.`);
    added[key] = value;
  }
  return added;
}
