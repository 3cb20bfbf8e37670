import { Agent, request } from 'node:http';
import type { Answer } from './described';

/** A request to send: the path may be `*`, a body is text. */
export interface Asked {
  method: string;
  path: string;
  headers: { [name: string]: string };
  body: string | undefined;
}

/** Sends requests to one port of this machine, on keep-alive connections; fetch would add headers. */
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

  /** Reads an endless response until its text is enough, and closes its connection. */
  readUntil(path: string, isEnough: (text: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: this.port, agent: false, path }, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
            if (!isEnough(text)) return;
            resolve(text);
            asked.destroy();
          })
          .on('end', () => reject(new Error(`${path} ended: ${text}`)))
          .on('error', reject);
      });
      asked.on('error', reject).end();
    });
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }
}
