import type { Written } from '../../api/writes/written';
import { collectionOf } from '../../model/kinds/kind';
import type { StoredResource } from '../../store/store';
import type { KubernetesContext } from '../face/face';
import { objectText, objectTextFrom } from '../objects/object';
import { OLDEST_REVISION, revisionOf } from '../objects/revision';
import { sendObject } from '../objects/send-object';

/**
 * Responds to a write with the object that it has made. The revision is read after the write. If others have written since, or
 * the store can no longer be read, the object has the revision before it, with which nobody can overwrite theirs. Nothing here
 * fails, because the write is made.
 */
export async function sendWrittenObject(context: KubernetesContext, written: Written): Promise<void> {
  sendObject(context, written.status === 201 ? 201 : 200, await writtenText(context, written));
}

async function writtenText(context: KubernetesContext, written: Written): Promise<string> {
  const { kind, urlVersion, dryRun } = context;
  const { text, before, state } = written;
  const stored = dryRun === true ? undefined : await storedNow(context, written);
  if (stored !== undefined && stored.text === state.text && stored.kept === state.kept)
    return objectText(kind, stored, urlVersion);
  const unread = dryRun === true ? undefined : OLDEST_REVISION;
  const revision = before === undefined ? unread : revisionOf(before);
  return objectTextFrom(kind, state, urlVersion, { text, revision });
}

/** Returns a resource as it is stored now; undefined where it is gone, such as after its last finalizer, and where nobody knows. */
async function storedNow(
  { service, kind }: KubernetesContext,
  { uid }: Written,
): Promise<StoredResource | undefined> {
  try {
    return await service.store.get(collectionOf(kind), uid);
  } catch {
    return undefined;
  }
}
