import type { ConsoleService } from '../../../../templates/runtime/console/content';
import type { RouteQuery } from '../../data/route';
import type { EventSelection, ResourceEvent } from '../../data/use-events';

/** What the URL of the page selects. */
export interface EventQuery {
  /** `<group>/<Kind>`; absent for all. */
  kind?: string;
  action?: ResourceEvent['data']['action'];
  labelSelector?: string;
  /** A part of a name, uid or actor. */
  text?: string;
  /** The position where the stream begins: `0` is before the oldest retained event; absent for now. */
  after?: string;
  /** The id of the event that is open. */
  event?: string;
}

/** The choices of an action. */
export const ACTIONS = ['created', 'updated', 'deleted'] as const;

/** Reads the URL of the page. */
export function eventQueryOf(query: URLSearchParams): EventQuery {
  const get = (name: string): string | undefined => query.get(name) ?? undefined;
  return {
    ...{ kind: get('kind'), labelSelector: get('labelSelector'), text: get('text') },
    ...{ after: get('after'), event: get('event') },
    action: ACTIONS.find((action) => action === get('action')),
  };
}

/** Returns the query as parameters of the URL. */
export function parametersOf(query: EventQuery): RouteQuery {
  return { ...query };
}

/** Returns what the service is asked for; texts are compared here. */
export function selectionOf({ kind, action, labelSelector, after }: EventQuery): EventSelection {
  return {
    ...(kind && { kinds: [kind] }),
    ...(action && { types: [`io.svc.*.${action}`] }),
    ...(labelSelector && { labelSelector }),
    ...(after && { lastEventId: after }),
  };
}

/** Returns whether an event has a text in the name or uid of its resource, or in its actor. */
export function hasText({ data }: ResourceEvent, text = ''): boolean {
  const wanted = text.trim().toLowerCase();
  return [data.resourceName, data.resourceUID, data.actor ?? ''].some((each) =>
    each.toLowerCase().includes(wanted),
  );
}

/** Returns the plural of the kind of an event; undefined for a kind that is no longer served. */
export function pluralOf({ kinds }: ConsoleService, { data }: ResourceEvent): string | undefined {
  const [group] = data.resource.apiVersion.split('/');
  return kinds.find((each) => each.kind === data.resourceKind && each.group === group)?.plural;
}
