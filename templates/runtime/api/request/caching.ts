import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIdentified } from '../../http/security/actor';
import type { KindDefinition } from '../../model/kinds/kind';
import type { Service } from '../../service/service';
import { isAsked } from './access';
import { scopeOf } from './label-scope';
import type { RequestContext } from './request-context';

/**
 * Adds the caching headers of a GET response with resources. A response that may depend on the caller is private whatever
 * the project says: a shared cache must not show one caller's resources to another. It may depend on the caller through
 * declared security, a label scope or a policy (also of the kinds of expanded `targets`), or where there is a caller at
 * all: middleware may confine others and not this one.
 */
export function addCaching(
  { definition }: Service,
  { req, kind }: Pick<RequestContext, 'req' | 'kind'>,
  headers: OutgoingHttpHeaders,
  targets: readonly KindDefinition[] = [],
): void {
  const schemes = definition.security?.schemes ?? [];
  const isAskedAny =
    isAsked({ kind }, 'canList') || [kind, ...targets].some((each) => isAsked({ kind: each }, 'canGet'));
  const isPersonal = schemes.length > 0 || isAskedAny || scopeOf(req).length > 0 || hasCaller(req);
  const keys = schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.header] : []));
  const varies = isPersonal || isReusable(definition.cacheControl);
  headers['Vary'] = varies ? ['Accept', 'Authorization', ...keys].join(', ') : 'Accept';
  headers['Cache-Control'] = isPersonal ? privately(definition.cacheControl) : definition.cacheControl;
}

/** Returns whether a request has an identified caller, or credentials that middleware may know. */
function hasCaller(req: IncomingMessage): boolean {
  return req.headers.authorization !== undefined || isIdentified(req);
}

/** Returns whether a cache may send a response again without asking the service, and so to another caller. */
function isReusable(directives: string): boolean {
  return !/\bno-(?:cache|store)\b/.test(directives);
}

/** Returns the headers of a GET response with resources, without an entity tag. */
export function untaggedHeaders(
  service: Service,
  context: RequestContext,
  targets?: readonly KindDefinition[],
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json' };
  addCaching(service, context, headers, targets);
  if (context.warnings.length > 0) headers['Warning'] = context.warnings;
  return headers;
}

/** Returns Cache-Control directives without those that let shared caches store a response. */
function privately(directives: string): string {
  const others = directives
    .split(', ')
    .filter((directive) => !/^(?:public|private|s-maxage=.*|proxy-revalidate)$/.test(directive));
  return ['private', ...others].join(', ');
}
