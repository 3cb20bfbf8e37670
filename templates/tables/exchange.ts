import { Agent, request } from 'node:http';
import type { Answer } from './described';

/** A request as it is sent: the path may be `*`, a body is text. */
export interface Asked {
  method: string;
  path: string;
  headers: { [name: string]: string };
  body: string | undefined;
}

/** Sends requests to one port of this machine, on connections that stay open; fetch adds headers of its own. */
export class Exchange {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly port: number) {}

  send({ body, ...asked }: Asked): Promise<Answer> {
    const { agent, port } = this;
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, agent, ...asked }, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('error', reject)
          .on('end', () => {
            const headers = response.headers as Answer['headers'];
            resolve({ status: response.statusCode!, headers, text });
          });
      })
        .on('error', reject)
        .end(body);
    });
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }
}
