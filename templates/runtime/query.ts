import { HttpProblem } from './problem';
import { checkSelectorSize, parseLabel, parseSelector, type Requirement } from './selector';

/** The parameters of a query, each with all its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** What the query of a list asks for. */
export interface ListParameters {
  /** All that `labelSelector` and `label` require. */
  selector: Requirement[];
  /** Items of one page; undefined for all. */
  limit?: number;
  /** The page starts after the resource with this id; 0 for the first page. */
  after: number;
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

/** A query without one of its parameters, the others as they are written. Throws HttpProblem 400 as `parseQuery` does. */
export function withoutParameter(text: string, name: string): string {
  return text
    .split('&')
    .filter((pair) => pair !== '' && nameOf(pair) !== name)
    .join('&');
}

/** The name in `name=value`, decoded. */
function nameOf(pair: string): string {
  return decode(pair.split('=', 1)[0]);
}

const LIST_PARAMETERS = new Set(['labelSelector', 'label', 'limit', 'continue']);

/**
 * Reads the query of a list: `labelSelector` and `label`, both repeatable and all applied, `limit`, capped at
 * `maxLimit`, and `continue`, a cursor that `encodeCursor` made for the same `kind`.
 * Throws HttpProblem 400 for a value that is none of these.
 */
export function listParameters(text: string, kind: string, maxLimit = 1_000): ListParameters {
  if (text === '') return { selector: [], after: 0, unknown: [] };
  const query = parseQuery(text);
  const limit = single(query, 'limit');
  const cursor = single(query, 'continue');
  if (limit !== undefined && !/^0*[1-9]\d*$/.test(limit)) {
    throw new HttpProblem(400, 'The query parameter "limit" must be an integer of 1 or more.');
  }
  const selector = [
    ...(query.get('labelSelector') ?? []).flatMap(parseSelector),
    ...(query.get('label') ?? []).map(parseLabel),
  ];
  checkSelectorSize(selector);
  return {
    selector,
    limit: limit === undefined ? undefined : Math.min(Number(limit), maxLimit),
    after: cursor === undefined ? 0 : decodeCursor(cursor, kind),
    unknown: [...query.keys()].filter((name) => !LIST_PARAMETERS.has(name)),
  };
}

/** The cursor of the page after the resource with this id: opaque to clients, and good for this kind alone. */
export function encodeCursor(kind: string, after: number): string {
  return Buffer.from(`${after} ${kind}`).toString('base64url');
}

/** The id in a cursor of this kind. Throws HttpProblem 400 for anything else. */
export function decodeCursor(cursor: string, kind: string): number {
  const after = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  // Encoding is the whole check: base64 is lenient, and so is parseInt.
  if (!Number.isSafeInteger(after) || after < 0 || encodeCursor(kind, after) !== cursor) {
    throw new HttpProblem(400, 'The query parameter "continue" is not a cursor of this list.');
  }
  return after;
}

/** The value of a parameter that may be given once. */
function single(query: Query, name: string): string | undefined {
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
