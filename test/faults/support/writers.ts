import { setTimeout } from 'node:timers/promises';
import type { Resource } from '../../../templates/runtime/model/resource';
import { type HttpResponse, JSON_PATCH, JSON_TYPE, MERGE, resourceOf, send, type Sent } from './client';
import type { Contents } from './database';

/** The known state of one device: the last response to a write of it, and the pending write. */
interface Known {
  uid: string | undefined;
  /** As the service returned it, which is as it is stored; undefined when there is none, or no more. */
  text: string | undefined;
  /** A string that only the state after the open write has; `gone` for a deletion. */
  open: string | undefined;
}

/** Says which writes a response leaves open: those that may or may not have been made. */
const leavesOpen = ({ status, text }: HttpResponse): boolean =>
  status >= 500 && !text.includes('nothing was written');

/**
 * Clients that create, change and delete devices, each its own, and remember what was acknowledged. They can be stopped,
 * or the service ended under them; `lost` compares. Patient ones have to be stopped: another service may get the port of one
 * that has ended, and their writes.
 */
export class Writers {
  /** Number of acknowledged writes. */
  acknowledged = 0;
  /** Number of writes with 503. */
  refused = 0;
  /** The longest that a 503 took, in ms. */
  slowestRefusal = 0;
  #known: Known[] = [];
  #running: Promise<unknown> = Promise.resolve();
  #active = 0;
  #end: unknown;
  #stopped = false;
  #serial = 0;

  /** `patient`: they go on after a 503 or a broken connection, with another device. */
  constructor(
    private readonly count: number,
    private readonly patient = false,
  ) {}

  /** Begins to write to a service; `port` is asked before each request. */
  start(port: () => number): void {
    this.#stopped = false;
    this.#active = this.count;
    this.#running = Promise.all(
      Array.from({ length: this.count }, (_, writer) =>
        this.#lives(port, writer)
          .catch((error: unknown) => (this.#end = error))
          .finally(() => (this.#active -= 1)),
      ),
    );
  }

  /** Resolves when so many writes are acknowledged. Throws what ended the writers before. */
  async reach(count: number): Promise<void> {
    while (this.acknowledged < count) {
      if (this.#active === 0) throw this.#end;
      await setTimeout(5);
    }
  }

  /** Resolves when the writes under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Resolves when none of them goes on: the service has ended. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Freezes what is acknowledged by now, to be compared with a copy of the disk. */
  snapshot(): Writers {
    const copy = new Writers(0);
    copy.#known = this.#known.map((known) => ({ ...known }));
    copy.acknowledged = this.acknowledged;
    return copy;
  }

  /** Returns lost acknowledged writes, and refused writes that were made, a line each. */
  lost({ resources }: Pick<Contents, 'resources'>): string[] {
    const found = new Map(resources.map(({ uid, text }) => [uid, text]));
    const lines: string[] = [];
    const opened = new Set(this.#known.flatMap(({ open }) => open ?? []));
    for (const { uid, text, open } of this.#known) {
      if (uid === undefined) continue;
      const is = found.get(uid);
      found.delete(uid);
      const isOpened = open !== undefined && (open === 'gone' ? is === undefined : is?.includes(open));
      if (is !== text && !isOpened) lines.push(`${uid} should be ${text ?? 'gone'} and is ${is ?? 'gone'}`);
    }
    for (const [uid, text] of found) {
      const { name } = (JSON.parse(text) as Resource).spec;
      if (!opened.has(JSON.stringify(name))) lines.push(`${uid} is there and was refused`);
    }
    return lines;
  }

  async #lives(port: () => number, writer: number): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#life(port, writer);
      } catch (error) {
        if (!this.patient) throw error;
        await setTimeout(5);
      }
    }
  }

  /** One device from its creation to, every other time, its deletion. */
  async #life(port: () => number, writer: number): Promise<void> {
    const known: Known = { uid: undefined, text: undefined, open: undefined };
    this.#known.push(known);
    const labels = { writer: String(writer) };
    const first = this.#text(writer);
    await this.#write(known, first, port(), 'POST', '/devices', {
      headers: JSON_TYPE,
      body: { metadata: { labels }, spec: { name: first } },
    });
    const path = `/devices/${known.uid}`;
    const changes: [method: string, path: string, sent: (text: string) => Sent][] = [
      [
        'PUT',
        path,
        (name) => ({ headers: JSON_TYPE, body: { metadata: { labels: { name } }, spec: { name } } }),
      ],
      ['PATCH', path, (name) => ({ headers: MERGE, body: { metadata: { labels }, spec: { name } } })],
      ['PUT', `${path}/status`, (message) => ({ headers: JSON_TYPE, body: { status: { message } } })],
      [
        'PATCH',
        path,
        (name) => ({ headers: JSON_PATCH, body: [{ op: 'replace', path: '/spec/name', value: name }] }),
      ],
    ];
    for (const [method, where, sent] of changes) {
      if (this.#stopped) return;
      const text = this.#text(writer);
      await this.#write(known, text, port(), method, where, sent(text));
    }
    if (this.#serial % 2 === 0 && !this.#stopped) await this.#write(known, 'gone', port(), 'DELETE', path);
  }

  #text = (writer: number): string => `w${writer}-${(this.#serial += 1)}-`;

  async #write(
    known: Known,
    text: string,
    port: number,
    method: string,
    path: string,
    sent?: Sent,
  ): Promise<void> {
    known.open = text === 'gone' ? text : JSON.stringify(text);
    const start = performance.now();
    const response = await send(port, method, path, sent);
    if (response.status >= 300) {
      if (response.status === 503) {
        this.refused += 1;
        this.slowestRefusal = Math.max(this.slowestRefusal, performance.now() - start);
      }
      if (!leavesOpen(response)) known.open = undefined;
      throw new Error(`${response.status} ${response.text}`);
    }
    known.open = undefined;
    known.text = text === 'gone' ? undefined : response.text;
    known.uid ??= resourceOf(response).metadata.uid;
    this.acknowledged += 1;
  }
}
