import { acceptedVersion } from './accept';
import type { Call } from './call';
import { tellDeprecation } from './deprecation';
import type { KindDefinition } from './kind';
import { HttpProblem } from './problem';
import { isObject, type Json } from './schema';

/**
 * The API version that a request speaks: the body's `apiVersion`, the URL, `Accept`, the storage version, in
 * this order (requirement, "Negotiation and precedence"); once one decides the next are not looked at.
 * Throws HttpProblem: 400 for an `apiVersion` that is no string, 406 for a version that is not registered.
 */
export function negotiate(call: Call, body: Json | undefined): string {
  const version = negotiated(call, body);
  if (call.notices !== undefined) tellDeprecation(call, version);
  return version;
}

function negotiated({ req, kind, urlVersion }: Call, body: Json | undefined): string {
  if (isObject(body) && Object.hasOwn(body, 'apiVersion')) return namedVersion(kind, body['apiVersion']);
  if (urlVersion !== undefined) return urlVersion;
  const { accept } = req.headers;
  const version = acceptedVersion(accept, kind.group, kind.servedVersions);
  if (version === undefined) throw notRegistered(kind, `Accept: ${accept}`);
  return version;
}

/** `<group>/<version>`, or a bare `<version>` of the collection's group. */
function namedVersion(kind: KindDefinition, apiVersion: Json | undefined): string {
  if (typeof apiVersion !== 'string') throw new HttpProblem(400, 'apiVersion must be a string.');
  const slash = apiVersion.lastIndexOf('/');
  const version = apiVersion.slice(slash + 1);
  const known = slash < 0 || apiVersion.slice(0, slash) === kind.group;
  if (!known || !kind.servedVersions.includes(version)) throw notRegistered(kind, apiVersion);
  return version;
}

function notRegistered({ kind, group, servedVersions }: KindDefinition, asked: string): HttpProblem {
  const registered = servedVersions.map((version) => `${group}/${version}`).join(', ');
  return new HttpProblem(
    406,
    `${JSON.stringify(asked.slice(0, 200))} is not registered for ${kind}; available: ${registered}.`,
  );
}
