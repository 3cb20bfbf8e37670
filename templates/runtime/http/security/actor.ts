import type { IncomingMessage } from 'node:http';

const CALLER = Symbol('caller');

/** The sender of a request, as far as middleware has identified it. */
interface Caller {
  actor?: string;
}

/**
 * Notes that middleware has identified the caller, whatever the caller's name. Where `project.yaml` declares `security`, requests
 * without this note, or that of `setActor`, get 401 wherever data is shown or changed.
 */
export function setIdentified(req: IncomingMessage): void {
  Object.assign(req, { [CALLER]: callerOf(req) ?? {} });
}

/**
 * Notes who the caller is, such as a user name or the `sub` of a token, and that the caller has been identified. Snapshots,
 * events and the request log carry it. Throws a TypeError for anything but a string with content.
 */
export function setActor(req: IncomingMessage, actor: string): void {
  if (typeof actor !== 'string' || actor === '')
    throw new TypeError('an actor must be a string with content');
  Object.assign(req, { [CALLER]: { actor } });
}

/** Returns the actor of a request; undefined where nobody has set one. */
export function actorOf(req: IncomingMessage): string | undefined {
  return callerOf(req)?.actor;
}

/** Returns whether middleware has identified the caller. */
export function isIdentified(req: IncomingMessage): boolean {
  return callerOf(req) !== undefined;
}

function callerOf(req: IncomingMessage): Caller | undefined {
  return (req as { [CALLER]?: Caller })[CALLER];
}
