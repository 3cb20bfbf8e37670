import { formatHttpDate } from '../../http/headers/http-date';
import { linkTo, requestTarget } from '../../http/request/request-target';
import { warning } from '../../http/responses/respond';
import type { Deprecation, GroupDefinition } from '../../model/kinds/kind';
import type { OnVersion, RequestContext } from './request-context';

/** Headers of every response in a deprecated version, except `Link`. */
export interface DeprecationNotice {
  /** RFC 9745: `@` and seconds since 1970. */
  deprecation: string;
  /** RFC 8594: an HTTP-date. */
  sunset: string | undefined;
  /** RFC 9111, section 5.5. */
  warning: string;
}

/** Returns the notices of a group, by version; undefined when none of its versions is deprecated. */
export function deprecationNotices(
  group: GroupDefinition | undefined,
): { [version: string]: DeprecationNotice } | undefined {
  if (group?.deprecations === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(group.deprecations).map(([version, deprecation]) => [
      version,
      noticeOf(group, version, deprecation),
    ]),
  );
}

function noticeOf(
  { name, storageVersion }: GroupDefinition,
  version: string,
  { since, sunset, note }: Deprecation,
): DeprecationNotice {
  const until = sunset === undefined ? '' : ` and removed as of ${sunset}`;
  const text = `${name}/${version} is deprecated as of ${since}${until}; use ${name}/${storageVersion}.`;
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1_000)}`,
    sunset: sunset === undefined ? undefined : formatHttpDate(Date.parse(sunset)),
    warning: warning(note === undefined ? text : `${text} ${note}`),
  };
}

/** Returns a function that warns of the deprecated versions of a group; undefined when it has none. */
export function deprecationWarner(group: GroupDefinition | undefined): OnVersion | undefined {
  const notices = deprecationNotices(group);
  return notices && ((context, version) => warnOfDeprecation(context, notices[version]));
}

/**
 * Sets the deprecation headers on the response to a request, whatever its status. They cover the version in the URL and
 * the version that the client speaks.
 */
function warnOfDeprecation(
  { req, res, kind, urlVersion, warnings }: RequestContext,
  notice: DeprecationNotice | undefined,
): void {
  if (notice === undefined || warnings.includes(notice.warning)) return;
  const isFirst = !res.hasHeader('Deprecation');
  warnings.push(notice.warning);
  res.setHeader('Deprecation', notice.deprecation);
  if (notice.sunset !== undefined) res.setHeader('Sunset', notice.sunset);
  else res.removeHeader('Sunset');
  res.appendHeader('Warning', notice.warning);
  if (!isFirst) return;
  const depth = urlVersion === undefined ? 1 : 4;
  const below = requestTarget(req.url)
    .path.split('/')
    .slice(1 + depth);
  const successor = [`${req.baseUrl}/apis`, kind.group, kind.storageVersion, kind.plural, ...below].join('/');
  res.appendHeader('Link', linkTo(successor, 'successor-version'));
}
