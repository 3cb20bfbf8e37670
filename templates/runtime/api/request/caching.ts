import type { OutgoingHttpHeaders } from 'node:http';
import type { KindDefinition } from '../../model/kinds/kind';
import type { Service } from '../../service/service';
import { isAsked } from './access';
import { scopeOf } from './label-scope';
import type { RequestContext } from './request-context';

/**
 * Adds the caching headers of a GET response with resources. A response that depends on the caller, through declared
 * security, a label scope or a policy (also of the kinds of expanded `targets`), is private whatever the project says: a
 * shared cache must not show one caller's resources to another.
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
  const isPersonal = schemes.length > 0 || isAskedAny || scopeOf(req).length > 0;
  const keys = schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.header] : []));
  headers['Vary'] = isPersonal ? ['Accept', 'Authorization', ...keys].join(', ') : 'Accept';
  headers['Cache-Control'] = isPersonal ? privately(definition.cacheControl) : definition.cacheControl;
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
