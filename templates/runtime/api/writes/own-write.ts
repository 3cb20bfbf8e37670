import { type Part, versioningOf } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { Change, Service } from '../../service/service';
import type { NewState } from '../../store/store';
import type { RequestContext } from '../request/request-context';
import { newStateOf } from './new-state';

/** The request that makes the service write, or a program. */
type Context = Pick<RequestContext, 'kind'> & Partial<RequestContext>;

/** Returns the row of a resource of which the service itself has changed a part, in the storage version. */
export function ownState(
  service: Service,
  context: Context,
  part: Part,
  resource: Resource,
  before: NonNullable<Change['before']>,
): NewState {
  const { kind } = context;
  const { storageVersion: version } = kind;
  const { state } = before;
  const carried = versioningOf(kind).preservedAfter(kind, state, resource, {
    version,
    part,
    aside: undefined,
  });
  const write = { version, part, sent: resource[part]!, before: state, resource, preserved: carried };
  const preserved = service.owners?.after(kind, { ...context, ...write }) ?? carried;
  const cause = part === 'spec' ? 'updated' : 'status';
  return newStateOf(service, context, resource, { cause, preserved, version, before });
}
