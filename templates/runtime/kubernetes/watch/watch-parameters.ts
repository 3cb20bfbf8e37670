import type { Position } from '../../store/events/event-log';
import { type KubernetesContext, parameter } from '../face/face';
import { forbiddenMatch, numberOf } from '../objects/list-parameters';
import { positionAt } from '../objects/revision';

/** The query of a watch. */
export interface WatchParameters {
  /** The position that the client has reached; undefined where it has none, and wants all objects first. */
  from: Position | undefined;
  /** Set where the stream begins with all objects: whether a bookmark marks their end. */
  initial: { endsWithBookmark: boolean } | undefined;
  allowsBookmarks: boolean;
  /** Undefined leaves the duration to the service. */
  timeoutMs: number | undefined;
}

/** The longest time of a timer, in seconds. */
const LONGEST = 2_000_000;

/** Returns whether a request to a collection asks for a watch. */
export function asksForWatch(context: KubernetesContext): boolean {
  return isTrue(context, 'watch');
}

/** Reads the query of a watch. Throws a problem 400 or 422. */
export function watchParameters(context: KubernetesContext): WatchParameters {
  const revision = parameter(context, 'resourceVersion') || undefined;
  const sends = parameter(context, 'sendInitialEvents') || undefined;
  checkMatch(parameter(context, 'resourceVersionMatch') || undefined, sends);
  // Revision 0 means any state, and no revision the present one; both begin with all objects.
  const isAny = revision === undefined || revision === '0';
  const from = isAny ? undefined : positionAt(revision);
  const seconds = numberOf(context, 'timeoutSeconds');
  const hasInitial = sends === undefined ? isAny : isTrue(context, 'sendInitialEvents');
  return {
    from,
    initial: hasInitial ? { endsWithBookmark: sends !== undefined } : undefined,
    allowsBookmarks: isTrue(context, 'allowWatchBookmarks'),
    timeoutMs: seconds && 1_000 * Math.min(seconds, LONGEST),
  };
}

/** The two parameters belong together, as in kube-apiserver. */
function checkMatch(match: string | undefined, sends: string | undefined): void {
  if (sends === undefined && match !== undefined)
    throw forbiddenMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (sends !== undefined && match !== 'NotOlderThan')
    throw forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
}

/** Returns whether a flag is set: by any value but these two, as in kube-apiserver, and without one, as in `?watch`. */
function isTrue(context: KubernetesContext, name: string): boolean {
  return !/^(?:0|false)$/i.test(parameter(context, name) ?? 'false');
}
