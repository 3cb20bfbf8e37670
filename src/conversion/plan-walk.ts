import type { ConversionPlan, LensPlan, ScopePlan } from './plan';

/** The scopes of a plan, outer ones first, each once. `onLens` is called for every lens in them. */
export function reach({ spec, status }: ConversionPlan, onLens?: (lens: LensPlan) => void): ScopePlan[] {
  const found = new Set<ScopePlan>();
  const visitScope = (scope: ScopePlan): void => {
    if (found.has(scope)) return;
    found.add(scope);
    for (const { lens } of scope.links) visit(lens);
  };
  const visit = (lens: LensPlan): void => {
    onLens?.(lens);
    if (lens.kind === 'scope') visitScope(lens.scope);
    else if (lens.kind === 'type') visitScope(lens.scope());
    else lensesInside(lens).forEach(visit);
  };
  visit(spec);
  visit(status);
  return [...found];
}

/** The lenses that another is made of. */
export function lensesInside(lens: LensPlan): LensPlan[] {
  switch (lens.kind) {
    case 'list':
      return [lens.element, ...lens.special.map(([, special]) => special)];
    case 'mapOf':
      return [lens.value, ...lens.special.map(([, special]) => special)];
    case 'firstOfHub':
    case 'firstOfSpoke':
      return [lens.element];
    case 'mapAsList':
    case 'listAsMap':
      return [lens.entry];
    case 'boxedHub':
    case 'boxedSpoke':
      return [lens.inner];
    default:
      return [];
  }
}
