import type { CallOptions, Connection } from './connection';

/** Which resources of a collection; all of the conditions apply. */
export interface ListQuery {
  /** The grammar of Kubernetes: `env=prod,tier!=db`, `env in (prod, test)`, `env`, `!env`. */
  labelSelector?: string;
  /** Labels and their values. */
  labels?: { [key: string]: string };
}

const PAGE_SIZE = 500;

/** The query of a list's URL, with its `?`; empty for everything. */
export function queryOf({ labelSelector, labels = {} }: ListQuery, limit?: number): string {
  const query = new URLSearchParams();
  if (labelSelector !== undefined) query.append('labelSelector', labelSelector);
  for (const [key, value] of Object.entries(labels)) query.append('label', `${key}=${value}`);
  if (limit !== undefined) query.append('limit', String(limit));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The pages of a list, each read when it is asked for. */
export async function* pagesOf<R>(
  connection: Connection,
  path: string,
  { limit = PAGE_SIZE, ...query }: ListQuery & { limit?: number },
  options: CallOptions,
): AsyncGenerator<R[], void> {
  let next: string | undefined = queryOf(query, limit);
  while (next !== undefined) {
    const { value, headers } = await connection.send<R[]>({ method: 'GET', path: path + next }, options);
    yield value;
    next = nextQuery(headers.get('Link') ?? '');
  }
}

/** The query of the next page (RFC 8288). Its path is ours: the service need not know what a proxy calls it. */
function nextQuery(link: string): string | undefined {
  return /<[^>?]*(\?[^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
}
