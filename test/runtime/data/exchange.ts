import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { ReferrerEntry } from '../../../templates/runtime/model/problem';
import type { Resource } from '../../../templates/runtime/model/resource';
import { type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { SHOP, shopProject } from './shop';

/** A problem as the shop responds with it. */
export interface Problem {
  detail: string;
  errors?: { pointer: string; rule: string }[];
  referrers?: ReferrerEntry[];
}

/** A response, with its body as what it is expected to be. */
export interface Response {
  status: number;
  headers: HttpResponse['headers'];
  resource: Resource;
  problem: Problem;
  /** The failures of a problem as `pointer rule`. */
  failures: string[];
}

/** A running service of the shop. The header `tenant` sets a label scope. */
export class Shop {
  private constructor(readonly running: TestService) {}

  static async start(
    url: string,
    options: TestOptions & { project?: ReturnType<typeof shopProject> } = {},
  ): Promise<Shop> {
    const { project = shopProject(), ...more } = options;
    const running = await startService(project, {
      ...SHOP,
      ...more,
      environment: { DATABASE_URL: url, ...more.environment },
      middleware: (app) =>
        void app.use((req, _res, next) => {
          const { tenant } = req.headers;
          if (tenant !== undefined) setLabelScope(req, { tenant: String(tenant) });
          next();
        }),
    });
    return new Shop(running);
  }

  async send(method: string, path: string, body?: unknown, headers: object = {}): Promise<Response> {
    const type = method === 'PATCH' ? MERGE : JSON_TYPE;
    const sent = { headers: { ...(body !== undefined && type), ...headers }, body };
    const { status, headers: received, text } = await send(this.running.port, method, path, sent);
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    const { errors = [] } = Object(value) as Partial<Problem>;
    return {
      status,
      headers: received,
      resource: value as Resource,
      problem: value as Problem,
      failures: errors.map(({ pointer, rule }) => `${pointer} ${rule}`),
    };
  }

  /** Creates a resource that must be accepted. */
  async create(
    path: string,
    name: string | undefined,
    spec: object = {},
    headers: object = {},
  ): Promise<Resource> {
    const response = await this.send('POST', path, { metadata: { name }, spec }, headers);
    if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.problem)}`);
    return response.resource;
  }

  /** Creates a part with a sku that no other has. */
  part(name: string, spec: object = {}, headers: object = {}): Promise<Resource> {
    return this.create('/parts', name, { sku: `sku-of-${name}`, ...spec }, headers);
  }

  get(path: string, headers: object = {}): Promise<Response> {
    return this.send('GET', path, undefined, headers);
  }

  delete(path: string, headers: object = {}): Promise<Response> {
    return this.send('DELETE', path, undefined, headers);
  }

  close(): Promise<void> {
    return this.running.close();
  }
}
