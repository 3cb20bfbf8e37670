import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { send } from './client';

/** An object as an informer has seen it. */
export interface Seen {
  metadata: { uid: string; name: string; resourceVersion: string };
}

/** A change as an informer was sent it. */
export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Seen;
}

type Line = Change | { type: 'BOOKMARK'; object: Seen } | { type: 'ERROR'; object: { code: number } };

/**
 * A client that lists once and then watches, as the informers of client-go do: when a watch ends, for whatever reason, another one
 * begins at the last revision that it has read, at the process that `port` names then.
 */
export class Informer {
  /** The objects by uid. */
  readonly objects = new Map<string, Seen>();
  readonly changes: Change[] = [];
  /** Number of watches that it has begun. */
  watches = 0;
  /** The code of an ERROR; the informer stops at it. */
  error: number | undefined;
  #revision = '';
  #isClosed = false;
  #end: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly port: () => number,
    private readonly timeoutSeconds = 3_600,
  ) {}

  /** Lists, and begins to watch. */
  async start(): Promise<void> {
    const { metadata, items } = JSON.parse((await send(this.port(), 'GET', this.path)).text) as {
      metadata: { resourceVersion: string };
      items: Seen[];
    };
    for (const item of items) this.objects.set(item.metadata.uid, item);
    this.#revision = metadata.resourceVersion;
    this.#running = this.#run();
  }

  /** Resolves when it has seen an object of this name, or has stopped at an error. */
  async until(name: string): Promise<void> {
    const isSeen = (): boolean => this.changes.at(-1)?.object.metadata.name === name;
    while (this.error === undefined && !isSeen()) await setTimeout(20);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed && this.error === undefined) {
      await this.#watch().catch(() => undefined);
      await setTimeout(5);
    }
  }

  /** Follows one watch to its end. Rejects where the connection breaks. */
  #watch(): Promise<void> {
    const options = `allowWatchBookmarks=true&timeoutSeconds=${this.timeoutSeconds}`;
    const path = `${this.path}?watch=true&${options}&resourceVersion=${this.#revision}`;
    return new Promise((resolve, reject) => {
      const client = request({ port: this.port(), path, agent: false }, (response) => {
        this.watches += 1;
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          // A line that is cut off is no line.
          rest = lines.pop()!;
          for (const line of lines) this.#take(JSON.parse(line) as Line);
        });
        response.on('error', reject);
        response.on('close', resolve);
      });
      this.#end = () => client.destroy();
      client.on('error', reject).end();
    });
  }

  #take(line: Line): void {
    if (line.type === 'ERROR') {
      this.error = line.object.code;
      return;
    }
    const { uid, resourceVersion } = line.object.metadata;
    this.#revision = resourceVersion;
    if (line.type === 'BOOKMARK') return;
    this.changes.push(line);
    if (line.type === 'DELETED') this.objects.delete(uid);
    else this.objects.set(uid, line.object);
  }
}
