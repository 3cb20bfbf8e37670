import type { CallOptions, Connection } from './connection';

/** The fields of a kind that requests can name, in one version. */
export interface KindFields {
  /** Conditions on them. */
  where: { [field: string]: unknown };
  /** Orders of lists. */
  sort: string;
  /** The targets of references, by the names of the references. */
  expand: object;
}

/** The fields of a kind without any that can be selected, and without references. */
export interface NoFields {
  where: never;
  sort: never;
  expand: object;
}

/** Makes the field selector of the conditions on fields. */
export type SelectorOf = (where: { [field: string]: unknown }) => string;

/** The selection of resources of a collection, whose conditions all apply, and their order. */
export interface ListQuery<
  Fields extends KindFields = NoFields,
  Expanded = never,
> extends Expansion<Expanded> {
  /** Conditions on selectable fields, such as `{ 'spec.price': { gte: 10 } }`. */
  where?: Fields['where'] | undefined;
  /** Conditions on selectable fields as a string: `spec.price>=10,spec.level in (low,high)`. */
  fieldSelector?: string | undefined;
  /** The field by which to sort, `spec.price`, or `-spec.price` for descending. By default, the order of creation. */
  sort?: Fields['sort'] | undefined;
  /** The grammar of Kubernetes: `env=prod,tier!=db`, `env in (prod, test)`, `env`, `!env`. */
  labelSelector?: string | undefined;
  /** Labels and their values. */
  labels?: { [key: string]: string } | undefined;
}

/** The references whose targets a response shows, too. */
export interface Expansion<Expanded> {
  /** The names of reference fields, such as `spec.supplier`; their targets are in `expanded`, as far as you may get them. */
  expand?: readonly Expanded[] | undefined;
}

/** A resource as a response shows it: with the targets of its references where they were asked for. */
export type Shown<R, Fields extends KindFields, Expanded extends keyof Fields['expand']> = [
  Expanded,
] extends [never]
  ? R
  : R & { expanded: Partial<Pick<Fields['expand'], Expanded>> };

/** Resources of a page. */
export const PAGE_SIZE = 500;

/** Returns the query of a list's URL, with its `?`; empty for everything. */
export function queryOf(
  { where, fieldSelector, sort, expand, labelSelector, labels = {} }: ListQuery<KindFields, unknown>,
  selectorOf?: SelectorOf,
  limit?: number,
): string {
  const query = new URLSearchParams();
  if (where !== undefined && selectorOf !== undefined) query.append('fieldSelector', selectorOf(where));
  if (fieldSelector !== undefined) query.append('fieldSelector', fieldSelector);
  if (sort !== undefined) query.append('sort', sort);
  if (expand !== undefined) query.append('expand', expand.join(','));
  if (labelSelector !== undefined) query.append('labelSelector', labelSelector);
  for (const [key, value] of Object.entries(labels)) query.append('label', `${key}=${value}`);
  if (limit !== undefined) query.append('limit', String(limit));
  return asSuffix(query);
}

/** Returns a query as the end of a URL, with its `?`; empty without parameters. */
export function asSuffix(query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Yields the pages of a list from the one at a path with its query, each read on demand. */
export async function* pagesOf<R>(
  connection: Connection,
  path: string,
  query: string,
  options: CallOptions,
): AsyncGenerator<R[], void> {
  let next: string | undefined = query;
  while (next !== undefined) {
    const { value, headers } = await connection.send<R[]>({ method: 'GET', path: path + next }, options);
    yield value;
    next = nextQuery(headers.get('Link') ?? '');
  }
}

/**
 * Returns the query of the next page (RFC 8288), of a response's header `Link`; undefined after the last one. The path stays the client's: the service need not know what a proxy
 * calls it.
 */
export function nextQuery(link: string): string | undefined {
  return /<[^>?]*(\?[^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
}
