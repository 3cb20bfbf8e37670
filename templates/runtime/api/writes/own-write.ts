import type { Part } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { Change, Service } from '../../service/service';
import type { NewState } from '../../store/store';
import type { RequestContext } from '../request/request-context';
import { preservedAfter } from './field-owners';
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
  const { storageVersion: version } = context.kind;
  const write = { version, part, sent: resource[part]!, before: before.state, resource };
  const preserved = preservedAfter(service, context, write);
  const cause = part === 'spec' ? 'updated' : 'status';
  return newStateOf(service, context, resource, { cause, preserved, version, before });
}
