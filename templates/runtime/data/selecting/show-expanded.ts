import type { Expansion } from '../../api/reads/expansion';
import { type Frame, sendArray } from '../../api/reads/json-array';
import { ListMemory } from '../../api/reads/list-memory';
import { refuseConditions, withAllowed } from '../../api/reads/reading';
import { untaggedHeaders } from '../../api/request/caching';
import { lengthOf } from '../../store/stored-resource';
import type { Expanding } from './expanded-targets';

/** The frame of an element that is sent without an array. */
const ALONE: Frame = { start: '', separator: '', end: () => '' };

/** Sends a resource with the targets of its references. It depends on them too, so it has no tag and is never 304. */
export async function showExpanded(
  { service, context, version }: Expanding,
  expansion: Expansion,
): Promise<void> {
  const { res } = context;
  const stored = await withAllowed(service, context, 'canGet', (allowed) => allowed);
  refuseConditions(context, stored, version);
  const headers = untaggedHeaders(service, context, expansion.kinds);
  const memory = new ListMemory(service, res);
  await memory.reserve(2 * lengthOf(stored));
  await sendArray(context, expansion.texts([stored], memory), headers, memory, ALONE);
}
