import type { OwnersPart } from '../../api/writes/field-owners';
import type { Service } from '../../service/service';
import { ownersAfter } from './after-write';

/** Notes the owners of fields with each write of a service. */
export function owners(service: Service): OwnersPart {
  const { MAX_PATCHED_BYTES: maxBytes } = service.settings;
  return { after: (kind, write) => ownersAfter(kind, write, { now: service.now(), maxBytes }) };
}
