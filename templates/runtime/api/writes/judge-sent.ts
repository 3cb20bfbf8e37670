import type { KindDefinition } from '../../model/kinds/kind';
import { hubStateOf, versioningOf } from '../../model/kinds/versioning';
import type { Failure } from '../../model/problem';
import type { Resource } from '../../model/resource';
import type { Service } from '../../service/service';
import type { StoredResource } from '../../store/store';
import { judge } from '../../validation/admission';
import type { SentPart } from '../parts/data-part';
import type { RequestContext } from '../request/request-context';

/** A resource before a write: as it is stored, and as the version of the request shows it. */
export interface Current {
  stored: StoredResource;
  shown: Resource;
}

/**
 * Treats the failures of a part that a client sent by the validation mode. Throws HttpProblem 400 where it refuses them;
 * strict adds the failures that the conversion to the storage version and its rules would have next.
 */
export function judgeSent(
  service: Service,
  { kind, warnings }: RequestContext,
  sent: SentPart,
  stored: StoredResource | undefined,
  failures: Failure[],
): void {
  const firm = firmFailures(service, kind, sent);
  const hasFailed = failures.length > 0 || firm.length > 0;
  if (hasFailed && service.definition.validation === 'strict' && sent.version !== kind.storageVersion) {
    const before = stored && hubStateOf(kind, stored);
    const known = [...failures, ...firm];
    failures.push(...versioningOf(kind).laterFailures(service, kind, sent, before, known));
  }
  judge(service.definition, failures, warnings, firm);
}

/** Returns the failures in the document of a client that every validation mode refuses. */
function firmFailures(
  { data, lifecycle }: Pick<Service, 'data' | 'lifecycle'>,
  kind: KindDefinition,
  sent: SentPart,
): readonly Failure[] {
  const failures = kind.data === undefined ? NONE : (data?.failuresOf(kind, sent) ?? NONE);
  if (lifecycle === undefined || sent.client === undefined) return failures;
  return [...failures, ...lifecycle.failuresOf(sent.client, sent.shown?.metadata)];
}

const NONE: readonly Failure[] = [];
