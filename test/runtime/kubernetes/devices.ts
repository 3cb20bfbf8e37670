import type { Project } from '../../../src/model/project';
import { type HttpResponse, send, type Sent } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { deviceProject } from './device-project';

/** The path of devices in a version. */
export const devices = (version = 'v1'): string => `/k8s/apis/example.svc.dev/${version}/devices`;

/** A response of which only the body is of interest. */
export interface Answer {
  code: number;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  response: HttpResponse;
}

/** A service, and a client that speaks to it as Kubernetes clients do. */
export class Cluster {
  private constructor(readonly service: TestService) {}

  static async start(options: TestOptions & { project?: Project } = {}): Promise<Cluster> {
    const { project = deviceProject(), ...others } = options;
    return new Cluster(await startService(project, others));
  }

  get port(): number {
    return this.service.port;
  }

  async request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', ...sent.headers };
    const response = await send(this.port, method, path, { ...sent, headers });
    const isJson = response.headers['content-type']?.includes('json') === true;
    return { code: response.status, body: isJson ? JSON.parse(response.text) : response.text, response };
  }

  get(path: string, accept?: string): Promise<Answer> {
    return this.request('GET', path, accept === undefined ? {} : { headers: { Accept: accept } });
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

/** A device as a client writes it. */
export function device(
  name: string | undefined,
  spec: object = { location: 'eu' },
  metadata: object = {},
): object {
  return {
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: { ...(name !== undefined && { name }), ...metadata },
    spec,
  };
}
