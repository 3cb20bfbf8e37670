import { HttpProblem } from '../../model/problem';
import { parseSelectors, type Requirement } from '../../model/selectors/selector';

/** Parameters of a query, each with all its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** Parameters of a list request. */
export interface ListParameters {
  /** All requirements of `labelSelector` and `label`. */
  selector: Requirement[];
  /** Items of one page; undefined for all. */
  limit?: number;
  /** The position where the page starts, as a previous page named it; undefined for the first page. */
  cursor?: string;
  /** All field selectors, unread: their words are those of a version. */
  fieldSelectors: readonly string[];
  /** The order, unread. */
  sort?: string;
  /** Names of references whose targets are added. */
  expand: string[];
  /** Decoded names of parameters that a list does not have. */
  unknown: string[];
}

/**
 * Reads the part of a URL after `?`, in the form of HTML forms: `+` is a space. A name without `=` has the empty
 * value. Throws HttpProblem 400 for malformed percent-encoding.
 */
export function parseQuery(text: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = nameOf(pair);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** Returns a query without one of its parameters, the others unchanged. Throws HttpProblem 400 as `parseQuery` does. */
export function withoutParameter(text: string, name: string): string {
  return text
    .split('&')
    .filter((pair) => pair !== '' && nameOf(pair) !== name)
    .join('&');
}

/** Returns the decoded name in `name=value`. */
function nameOf(pair: string): string {
  return decode(pair.split('=', 1)[0]);
}

/** Returns the names of references in the values of `expand`, in order. */
export function expandedNames(query: Query): string[] {
  const names = (query.get('expand') ?? []).flatMap((value) => value.split(','));
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
}

const LIST_PARAMETERS = new Set([
  'labelSelector',
  'label',
  'limit',
  'continue',
  'fieldSelector',
  'sort',
  'expand',
]);

/**
 * Reads the query of a list: `labelSelector`, `label` and `fieldSelector`, all repeatable and all applied, `limit`, capped
 * at `maxLimit`, `continue`, `sort` and `expand`. Throws HttpProblem 400 for an invalid value.
 */
export function listParameters(text: string, maxLimit = 1_000): ListParameters {
  if (text === '') return { selector: [], fieldSelectors: [], expand: [], unknown: [] };
  const query = parseQuery(text);
  return {
    selector: selectorIn(query),
    limit: pageLimit(query, maxLimit),
    cursor: single(query, 'continue'),
    fieldSelectors: query.get('fieldSelector') ?? [],
    sort: single(query, 'sort'),
    expand: expandedNames(query),
    unknown: [...query.keys()].filter((name) => !LIST_PARAMETERS.has(name)),
  };
}

/** Returns the value of `limit`, capped at `most`; undefined without one. Throws HttpProblem 400 for another value. */
export function pageLimit(query: Query, most: number): number | undefined {
  const limit = single(query, 'limit');
  if (limit === undefined) return undefined;
  if (!/^0*[1-9]\d*$/.test(limit))
    throw new HttpProblem(400, 'The query parameter "limit" must be an integer of 1 or more.');
  return Math.min(Number(limit), most);
}

/**
 * Returns the cursor of the page after the resource with this id. It is opaque to clients and valid for this kind
 * alone.
 */
export function encodeCursor(kind: string, after: number): string {
  return Buffer.from(`${after} ${kind}`).toString('base64url');
}

/** Returns the id in a cursor of this kind. Throws HttpProblem 400 for anything else. */
export function decodeCursor(cursor: string, kind: string): number {
  const after = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  // Encoding again is the whole check: base64 is lenient, and so is parseInt.
  if (!Number.isSafeInteger(after) || after < 0 || encodeCursor(kind, after) !== cursor) {
    throw notACursor();
  }
  return after;
}

/** Returns the problem of a cursor that another list made, or nobody. */
export function notACursor(): HttpProblem {
  return new HttpProblem(400, 'The query parameter "continue" is not a cursor of this list.');
}

/** Returns the value of a parameter that may be given once. Throws HttpProblem 400 for several. */
export function single(query: Query, name: string): string | undefined {
  const values = query.get(name);
  if (values !== undefined && values.length > 1) {
    throw new HttpProblem(400, `The query parameter "${name}" is given more than once.`);
  }
  return values?.[0];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new HttpProblem(400, 'The query of the URL is not validly percent-encoded.');
  }
}

/** Returns the selector that `labelSelector` and `label` make together. Throws HttpProblem 400 for an invalid one. */
export function selectorIn(query: Query): Requirement[] {
  return parseSelectors(query.get('labelSelector'), query.get('label'));
}
