import type { SpokeConverter } from '../model/versions/spoke-converter';
import { converterOf } from './lenses/converter';
import type { Lens } from './lenses/lens';
import { lensOf } from './objects/object-lens';
import type { Shape } from './objects/sources';

// The words of a converter for where fields come from. Those for the rules of project.yaml are in `rules`.

export { boxedHub, boxedSpoke } from './collections/boxes';
export { copy, deferred, type Lens } from './lenses/lens';
export { listOf } from './collections/lists';
export { mapOf } from './collections/maps';
export { fields } from './objects/object-lens';
export { dropped, from, group, orElse, own, together } from './objects/sources';

/**
 * The conversion between the storage version and another one, from the sources of that one's fields. `rules` stands
 * for the rules and fields that it was made of.
 */
export function spoke(rules: string, parts: { spec: Lens | Shape; status: Lens | Shape }): SpokeConverter {
  return converterOf({ spec: lensOf(parts.spec), status: lensOf(parts.status) }, rules);
}
