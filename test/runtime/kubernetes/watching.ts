import { type IncomingMessage, request } from 'node:http';

/** One line of a watch. */
export interface WatchLine {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** A watch, with the lines that it was sent. */
export interface Watching {
  status: number;
  lines: WatchLine[];
  /** Stops and goes on taking what comes. */
  response: IncomingMessage;
  ended: Promise<void>;
  /** Resolves when a line meets a condition, or the watch has ended. */
  until(condition: (lines: WatchLine[]) => boolean): Promise<WatchLine[]>;
  close(): void;
}

const open = new Set<Watching>();
afterEach(() => {
  open.forEach((watching) => watching.close());
  open.clear();
});

/** Opens a watch; resolves when its head is there. */
export function openWatch(
  port: number,
  path: string,
  headers: { [name: string]: string } = {},
): Promise<Watching> {
  return new Promise((resolve, reject) => {
    const client = request({ port, path, headers, agent: false }, (response) => {
      const waiting = new Set<() => void>();
      let rest = '';
      let isOpen = true;
      const watching: Watching = {
        status: response.statusCode!,
        lines: [],
        response,
        ended: new Promise((end) => response.on('close', end)),
        until: (condition) =>
          new Promise((done) => {
            const check = (): void => {
              if (isOpen && !condition(watching.lines)) return;
              waiting.delete(check);
              done(watching.lines);
            };
            waiting.add(check);
            check();
          }),
        close: () => client.destroy(),
      };
      open.add(watching);
      const wake = (): void => [...waiting].forEach((check) => check());
      response.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        watching.lines.push(...lines.map((line) => JSON.parse(line) as WatchLine));
        wake();
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        isOpen = false;
        wake();
      });
      resolve(watching);
    });
    client.on('error', reject);
    client.end();
  });
}

/** Returns lines in short: their types with the names of their objects. */
export function short(lines: readonly WatchLine[]): string[] {
  return lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.reason ?? ''}`.trim());
}

/** Returns a condition: so many lines are there. */
export const count =
  (most: number) =>
  (lines: readonly WatchLine[]): boolean =>
    lines.length >= most;
