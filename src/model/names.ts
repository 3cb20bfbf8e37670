import { stabilityOf } from '../../templates/runtime/site/discovery';

/**
 * The form of a kind's name (specification, "Resources and their fields"). Its files are called by it, and Windows has
 * no files of the excluded names, with any extension.
 */
export const KIND_NAME =
  /^(?!(?:C[Oo][Nn]|P[Rr][Nn]|A[Uu][Xx]|N[Uu][Ll]|C[Oo][Mm][0-9]|L[Pp][Tt][0-9])$)[A-Z][A-Za-z0-9]*$/;
/** The form of a group's name: a DNS subdomain that Windows takes for a folder. */
export const GROUP_NAME =
  /^(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$))[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** The form of a project's name, which npm accepts as a package and Windows as a file. */
export const PROJECT_NAME =
  /^(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$))(?!(?:node_modules|favicon\.ico)$)[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;
/** The URL segment of a kind's collection. */
export const PLURAL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;
/** API versions: v2, v1beta1, v1alpha3 (specification, "Version model"). */
export const VERSION_NAME = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;
/** The maximum length of the name of a project, kind, field, type, version or plural. */
export const NAME_LENGTH = 63;

/** The name of a group that has none in project.yaml (specification, "Version model"). */
export const DEFAULT_GROUP = 'example.svc.dev';
/** The version of a group that declares none. */
export const DEFAULT_VERSION = 'v1';

/** URL segments that a service uses itself. */
export const RESERVED_PLURALS = 'apis docs console events openapi.json healthz readyz metrics'.split(' ');

/** Orders valid version names, the most stable and newest first: v2, v1, v2beta1, v1beta2, v1alpha2. */
export function compareVersions(a: string, b: string): number {
  return (
    ORDER.indexOf(stabilityOf(a)) - ORDER.indexOf(stabilityOf(b)) ||
    compareNumbers(numbers(b), numbers(a), 0) ||
    compareNumbers(numbers(b), numbers(a), 1)
  );
}

const ORDER = ['stable', 'beta', 'alpha'];

/** The numbers of a version name, as digits: they may be longer than a number is exact. */
function numbers(version: string): string[] {
  return version.match(/\d+/g) ?? [];
}

function compareNumbers(a: string[], b: string[], index: number): number {
  const [x = '', y = ''] = [a[index], b[index]];
  return x.length - y.length || (x < y ? -1 : Number(x > y));
}

/** Returns the version names in a string, between commas or spaces: `v1, v2beta1`. */
export function versionList(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** English endings, the first that fits; `$1` is what stays of the name. */
const ENDINGS: readonly [ending: RegExp, plural: string][] = [
  [/([^aeiou0-9])y$/, '$1ies'],
  [/([^s])sis$/, '$1ses'],
  [/(quiz)$/, '$1zes'],
  [/(ss|us|alias|atlas|bias|canvas|gas|lens|x|z|ch|sh)$/, '$1es'],
  [/(s)$/, '$1'],
  [/$/, 's'],
];

/**
 * The collection name of a kind: lowercase plus `s`, English endings respected. A kind that looks like a plural
 * already keeps its name.
 */
export function plural(kind: string): string {
  const name = kind.toLowerCase();
  const [ending, replacement] = ENDINGS.find(([pattern]) => pattern.test(name))!;
  return name.replace(ending, replacement);
}

/** The start of a kind's uids: its first three letters, lowercase, padded with `x` (specification, "Metadata"). */
export function uidPrefix(kind: string): string {
  return kind
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 3)
    .toLowerCase()
    .padEnd(3, 'x');
}

/** Returns words as one with capitals: `example.svc.dev` → `ExampleSvcDev`, `v2beta1` → `V2beta1`. */
export function capitalised(text: string): string {
  return text.replace(/(?:[^A-Za-z0-9]+|^)([A-Za-z0-9]?)/g, (_, start: string) => start.toUpperCase());
}

/**
 * Returns the name of a kind or a shared type that is unique in the project, and adds it to `taken`: its own, else with its
 * group before it, else with a number too. Names that differ by case alone count as the same, since files are called by
 * them.
 */
export function publicName(name: string, group: string, taken: Set<string>): string {
  // No name starts with a digit.
  const longer = `${capitalised(group).replace(/^\d/, '_$&')}${name}`;
  let free = name;
  for (let count = 1; taken.has(free.toLowerCase()); count++)
    free = count === 1 ? longer : `${longer}${count}`;
  taken.add(free.toLowerCase());
  return free;
}
