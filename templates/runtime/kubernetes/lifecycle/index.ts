import type { LifecyclePart } from '../../api/writes/lifecycle-part';
import type { Service } from '../../service/service';
import { lifecycle } from './rules';
import { postponeDeletion } from './waiting-deletion';

/** Returns the finalizers and owner references of a service. */
export function lifecycleOf(service: Service): LifecyclePart {
  return { ...lifecycle, postpone: (...deletion) => postponeDeletion(service, ...deletion) };
}
