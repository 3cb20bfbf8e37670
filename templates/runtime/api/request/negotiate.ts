import { acceptedVersion, askedVersions } from '../../http/headers/accept';
import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import { isObject, type Json } from '../../model/schema';
import type { RequestContext } from './request-context';

/**
 * Returns the API version that a request speaks: the first of the body's `apiVersion`, the URL, `Accept` and the
 * storage version that decides (specification, "Negotiation and precedence"). Throws HttpProblem: 400 for an
 * `apiVersion` that is no string, 406 for a version that is not registered.
 */
export function negotiate(context: RequestContext, body: Json | undefined): string {
  const version = negotiated(context, body);
  context.onVersion?.(context, version);
  return version;
}

function negotiated({ req, kind, urlVersion }: RequestContext, body: Json | undefined): string {
  if (isObject(body) && Object.hasOwn(body, 'apiVersion')) return namedVersion(kind, body['apiVersion']);
  if (urlVersion !== undefined) return servedVersion(kind, urlVersion, `${kind.group}/${urlVersion}`);
  const { accept } = req.headers;
  const version = acceptedVersion(accept, kind.group, kind.servedVersions);
  if (version === undefined) throw notServed(kind, askedVersions(accept));
  return version;
}

/** Returns the version in `<group>/<version>`, or a bare `<version>` of the collection's group. */
function namedVersion(kind: KindDefinition, apiVersion: Json | undefined): string {
  if (typeof apiVersion !== 'string') throw new HttpProblem(400, 'apiVersion must be a string.');
  const slash = apiVersion.lastIndexOf('/');
  if (slash >= 0 && apiVersion.slice(0, slash) !== kind.group) throw notServed(kind, apiVersion);
  return servedVersion(kind, apiVersion.slice(slash + 1), apiVersion);
}

function servedVersion(kind: KindDefinition, version: string, asked: string): string {
  if (kind.servedVersions.includes(version)) return version;
  throw notServed(kind, asked);
}

function notServed({ kind, group, servedVersions }: KindDefinition, asked: string): HttpProblem {
  return notRegistered(asked, kind, group, servedVersions);
}

/** Returns the problem of a version that a kind, or a whole group, does not have. */
export function notRegistered(
  asked: string,
  subject: string,
  group: string,
  versions: readonly string[],
): HttpProblem {
  const registered = versions.map((version) => `${group}/${version}`).join(', ');
  return new HttpProblem(
    406,
    `${JSON.stringify(asked.slice(0, 200))} is not registered for ${subject}; available: ${registered}.`,
  );
}
