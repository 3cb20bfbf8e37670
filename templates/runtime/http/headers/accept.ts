import { remembering } from './repeated-headers';

/** A media range of an Accept header, as far as it concerns versions of `application/json`. */
interface VersionRange {
  /** Undefined for the group of the collection. */
  group?: string;
  /** Undefined for a range that names none. */
  version?: string;
  /** 0 to 1; 0 refuses. */
  quality: number;
  /** Precision of the range, ascending: `*` `/` `*`, `application/*`, `application/json`, one that names a version. */
  precision: number;
}

/** Ranges that match `application/json`, the only type served. Parameters of other ranges are irrelevant here. */
const PRECISION: { [range: string]: number } = { '*/*': 0, 'application/*': 1, 'application/json': 2 };
const NAMES_VERSION = 3;

/** Characters of a token (RFC 9110 §5.6.2). */
const TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-";
const MEDIA_RANGE = new RegExp(`^[${TCHAR}]+/[${TCHAR}]+$`);
/** A version may carry its group, so that a token may contain a slash. */
const PARAMETER = new RegExp(`^([${TCHAR}]+)=(?:([${TCHAR}/]+)|"((?:[^"\\\\]|\\\\.)*)")$`, 's');
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Returns the version to respond in, by an Accept header (RFC 9110 §12.5.1), or undefined for 406.
 *
 * `versions` are the kind's versions in its group, the storage version first. Each takes its quality from the most
 * precise range that matches it. The highest quality wins; at equal quality a version that the header names, in the
 * header's order, then the storage version. A header that names no version never fails: it gets the storage version.
 */
export function acceptedVersion(
  accept: string | undefined,
  group: string,
  versions: readonly string[],
): string | undefined {
  if (accept === undefined || !namesVersion(accept)) return versions[0];
  const ranges = rangesOf(accept);
  let chosen: { version: string; range: VersionRange } | undefined;
  for (const version of versions) {
    const range = describing(ranges, group, version);
    if (range === undefined || range.quality === 0) continue;
    if (chosen === undefined || before(range, chosen.range, ranges)) chosen = { version, range };
  }
  return chosen?.version;
}

/** Returns whether an Accept header names versions. */
export function namesVersion(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return false;
  return rangesOf(accept).some((range) => range.precision === NAMES_VERSION);
}

/** Returns the versions that an Accept header asks for, as text for a 406, or the whole header if it only excludes versions. */
export function askedVersions(accept = ''): string {
  const asked = rangesOf(accept).flatMap(({ group, version, quality }) =>
    version === undefined || quality === 0 ? [] : [group === undefined ? version : `${group}/${version}`],
  );
  return asked.length === 0 ? `Accept: ${accept}` : asked.join(', ');
}

/** Returns the most precise range that matches a version; the first of several. */
function describing(ranges: VersionRange[], group: string, version: string): VersionRange | undefined {
  let best: VersionRange | undefined;
  for (const range of ranges) {
    if (range.version !== undefined && range.version !== version) continue;
    if (range.group !== undefined && range.group !== group) continue;
    if (best === undefined || range.precision > best.precision) best = range;
  }
  return best;
}

function before(range: VersionRange, other: VersionRange, ranges: VersionRange[]): boolean {
  if (range.quality !== other.quality) return range.quality > other.quality;
  if (range.version === undefined) return false;
  return other.version === undefined || ranges.indexOf(range) < ranges.indexOf(other);
}

const rangesOf = remembering((accept): VersionRange[] =>
  split(accept, ',').flatMap((element) => parseRange(element) ?? []),
);

/** Parses one element of the header. Returns undefined when it is malformed or cannot match `application/json`. */
function parseRange(element: string): VersionRange | undefined {
  const [mediaRange, ...parameters] = split(element, ';');
  const name = mediaRange?.toLowerCase() ?? '';
  if (!MEDIA_RANGE.test(name) || !Object.hasOwn(PRECISION, name)) return undefined;

  const range: VersionRange = { quality: 1, precision: PRECISION[name] };
  for (const parameter of parameters) {
    const [, attribute, token, quoted] = PARAMETER.exec(parameter) ?? [];
    if (attribute === undefined) return undefined;
    const value = token ?? quoted.replace(/\\(.)/gs, '$1');
    switch (attribute.toLowerCase()) {
      case 'q':
        if (!WEIGHT.test(value)) return undefined;
        range.quality = Number(value);
        break;
      case 'version':
      case 'api-version':
        if (range.version === undefined) nameVersion(range, value);
    }
  }
  return range;
}

/** Notes `<version>` or `<group>/<version>`. */
function nameVersion(range: VersionRange, value: string): void {
  const slash = value.indexOf('/');
  if (slash !== -1) range.group = value.slice(0, slash);
  range.version = value.slice(slash + 1);
  range.precision = NAMES_VERSION;
}

const PARTS = {
  ',': /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/gs,
  ';': /(?:"(?:[^"\\]|\\.)*"?|[^;"])+/gs,
};

/** Splits a string at separators outside quoted strings. Returns the non-empty parts, trimmed. */
function split(text: string, separator: ',' | ';'): string[] {
  return (text.match(PARTS[separator]) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}
