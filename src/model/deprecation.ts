import type { Group } from './project';

/**
 * Returns the message about a deprecated version, such as `as of 2026-01-31; use shop.dev/v1.`; undefined for other
 * versions.
 */
export function deprecationText(
  { name, storageVersion, deprecations }: Group,
  version: string,
): string | undefined {
  if (!Object.hasOwn(deprecations, version)) return undefined;
  const { since, sunset, note } = deprecations[version];
  const until = sunset === undefined ? '' : ` and removed as of ${sunset}`;
  const text = `as of ${since}${until}; use ${name}/${storageVersion}.`;
  return note === undefined ? text : `${text} ${note}`;
}
