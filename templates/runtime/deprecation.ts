import type { Call } from './call';
import { formatHttpDate } from './http-date';
import type { Deprecation, GroupDefinition } from './kind';
import { requestTarget } from './request-target';
import { warning } from './respond';

/** What every answer of a deprecated version says in its headers, `Link` apart. */
export interface DeprecationNotice {
  /** RFC 9745: `@` and seconds since 1970. */
  deprecation: string;
  /** RFC 8594: an HTTP-date. */
  sunset: string | undefined;
  /** RFC 9111, section 5.5. */
  warning: string;
}

/** The notices of a group, by version; undefined when none of its versions is deprecated. */
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

/**
 * Sets the headers of a deprecated version on the answer of a call, whatever it will be. A client hears of the
 * version in the URL that it uses, and of the one that it speaks.
 */
export function tellDeprecation(
  { req, res, kind, urlVersion, warnings, notices }: Call,
  version: string,
): void {
  const notice = notices?.[version];
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

/** The value of a `Link` header (RFC 8288): what would end the address within `<…>` is let through by Node's parser. */
export function linkTo(address: string, relation: string): string {
  return `<${address.replace(/[<>"]/g, encodeURIComponent)}>; rel="${relation}"`;
}
