/** What one media range of an Accept header says about versions of `application/json`. */
interface VersionRange {
  /** Undefined for the group of the collection. */
  group?: string;
  /** Undefined for a range that names none. */
  version?: string;
  /** 0 to 1; 0 refuses. */
  quality: number;
  /** How closely the range describes: `*` `/` `*`, `application/*`, `application/json`, one that names a version. */
  precision: number;
}

/** The ranges that can mean `application/json`, which is all there is; the parameters of others say nothing here. */
const PRECISION: { [range: string]: number } = { '*/*': 0, 'application/*': 1, 'application/json': 2 };
const NAMES_VERSION = 3;

/** What a token consists of (RFC 9110 §5.6.2). */
const TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-";
const MEDIA_RANGE = new RegExp(`^[${TCHAR}]+/[${TCHAR}]+$`);
/** A version may carry its group, so that a slash is accepted in a token. */
const PARAMETER = new RegExp(`^([${TCHAR}]+)=(?:([${TCHAR}/]+)|"((?:[^"\\\\]|\\\\.)*)")$`, 's');
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Clients repeat the same few headers. */
const parsed = new Map<string, VersionRange[]>();

/**
 * The version to answer in, by an Accept header (RFC 9110 §12.5.1), or undefined for 406.
 *
 * `versions` are those that the kind has in its group, the storage version first. Each takes its quality from the
 * range that describes it best; the highest wins, at equal quality one that the header names, in the header's
 * order, then the storage version. A header that names no version never fails: it gets the storage version.
 */
export function acceptedVersion(
  accept: string | undefined,
  group: string,
  versions: readonly string[],
): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return versions[0];
  const ranges = rangesOf(accept);
  if (!ranges.some((range) => range.precision === NAMES_VERSION)) return versions[0];

  let chosen: { version: string; range: VersionRange } | undefined;
  for (const version of versions) {
    const range = describing(ranges, group, version);
    if (range === undefined || range.quality === 0) continue;
    if (chosen === undefined || before(range, chosen.range, ranges)) chosen = { version, range };
  }
  return chosen?.version;
}

/** The most precise range that a version falls in; the first of several. */
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

function rangesOf(accept: string): VersionRange[] {
  let ranges = parsed.get(accept);
  if (ranges === undefined) {
    ranges = split(accept, ',').flatMap((element) => parseRange(element) ?? []);
    if (parsed.size >= 100) parsed.clear();
    if (accept.length <= 1_000) parsed.set(accept, ranges);
  }
  return ranges;
}

/** One element of the header; undefined when it is malformed or cannot mean `application/json`. */
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

/** The non-empty parts of a text between separators outside quoted strings, trimmed. */
function split(text: string, separator: ',' | ';'): string[] {
  return (text.match(PARTS[separator]) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}
