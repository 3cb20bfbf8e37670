/** A request of a page, and the part of its response that the page shows. */
export interface Exchange {
  title: string;
  method: string;
  path: string;
  headers: { [name: string]: string };
  body: string;
  status: number;
  /** Some of the response. */
  part: object | undefined;
}

/** Returns the exchanges of a page in their order: its blocks of the language `http`. */
export function exchangesOf(page: string): Exchange[] {
  return [...page.matchAll(/^```http\n(.*?)^```/gms)].map(([, text]) => exchangeOf(text));
}

function exchangeOf(text: string): Exchange {
  const [request = '', response = ''] = text.split('\n→ ');
  const [head = '', body = ''] = request.trim().split('\n\n');
  const [line = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(lines.map((header) => header.split(': ') as [string, string]));
  const [status = '', ...part] = response.trim().split(' ');
  return {
    title: `${line} ${lines.join(' ')} ${body}`.trim(),
    method,
    path,
    headers,
    body,
    status: Number(status),
    part: part.length === 0 ? undefined : (JSON.parse(part.join(' ')) as object),
  };
}

/** Sends a request to the service at a URL; `names` replaces parts such as `{uid}`. */
export function ask(
  url: string,
  { method, path, headers, body }: Exchange,
  names: { [name: string]: string } = {},
): Promise<Response> {
  const named = (text: string): string => text.replace(/\{\w+\}/g, (name) => names[name] ?? name);
  return fetch(url + named(path), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, named(value)]),
    ...(body !== '' && { body }),
  });
}

/** Expects the response that a page shows. */
export async function expectResponse({ status, part }: Exchange, response: Response): Promise<void> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status });
  if (part !== undefined) expect(JSON.parse(text)).toMatchObject(part);
}
