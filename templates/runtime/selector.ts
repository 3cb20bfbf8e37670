import type { Labels } from './store/store';

/** One condition of a label selector; `notin` holds for a resource without the key, as in Kubernetes. */
export interface Requirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | 'absent';
  /** Empty for `exists` and `absent`. */
  values: string[];
}

/** Whether labels meet every requirement. */
export function matches(labels: Labels, selector: Requirement[]): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'exists') return value !== undefined;
    if (operator === 'absent') return value === undefined;
    return (value !== undefined && values.includes(value)) === (operator === 'in');
  });
}
