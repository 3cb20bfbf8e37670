import type { Service } from '../../service/service';
import type { Write, WriteResult } from '../../store/store';
import type { RequestContext } from '../request/request-context';

/**
 * Applies the write of a request. In a dry run the store only judges it, and the result is the one that the write would
 * have. `since` is as for `Store.write`.
 */
export function writeOrJudge(
  { store }: Pick<Service, 'store'>,
  { dryRun }: Pick<RequestContext, 'dryRun'>,
  write: Write,
  since?: number,
): Promise<WriteResult> {
  return dryRun === true ? store.judge(write) : store.write(write, since);
}
