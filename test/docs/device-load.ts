import { setTimeout } from 'node:timers/promises';
import { connect } from '../../templates/runtime/store/sqlite/connection/driver';

/** A device that was created: its uid, and the time at which the request began. */
interface Created {
  uid: string;
  begun: number;
}

/** Clients that create and change devices one after the other, until they are stopped. What fails is made again as another one. */
export class DeviceLoad {
  readonly #created: Created[] = [];
  #clients: Promise<void>[] = [];
  #isStopped = false;

  constructor(
    private readonly port: number,
    private readonly clients: number,
  ) {}

  start(): void {
    this.#clients = Array.from({ length: this.clients }, () => this.#write());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  /** Waits until so many creates were acknowledged. */
  async reach(count: number): Promise<void> {
    while (this.#created.length < count) await setTimeout(10);
  }

  /** Returns the devices whose create was acknowledged, so far. */
  uids(): string[] {
    return this.#created.map(({ uid }) => uid);
  }

  /** Returns those whose request began after a time. */
  begunAfter(time: number): string[] {
    return this.#created.filter(({ begun }) => begun > time).map(({ uid }) => uid);
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      const begun = Date.now();
      try {
        const uid = await this.#send('POST', '/devices', { spec: { name: 'sensor', location: 'berlin' } });
        if (uid === undefined) continue;
        this.#created.push({ uid, begun });
        await this.#send('PUT', `/devices/${uid}`, { spec: { name: 'sensor', location: 'paris' } });
      } catch {
        // The service was killed, or is about to start.
        await setTimeout(20);
      }
    }
  }

  async #send(method: string, path: string, body: object): Promise<string | undefined> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { metadata } = (await response.json()) as { metadata?: { uid: string } };
    return response.ok ? metadata?.uid : undefined;
  }
}

/** Rows of a SQLite database. */
export interface Contents {
  events: { position: number; uid: string; text: string }[];
  resources: { uid: string; position: string }[];
}

/** Reads a database without the service. */
export function readContents(path: string): Contents {
  const connection = connect(path);
  try {
    return {
      events: connection
        .prepare<Contents['events'][number]>('SELECT position, uid, text FROM events ORDER BY position')
        .all(),
      resources: connection
        .prepare<Contents['resources'][number]>('SELECT uid, position FROM resources ORDER BY id')
        .all(),
    };
  } finally {
    connection.close();
  }
}

/** Expects the first writes of a whole, without a gap, and nothing else; each resource is as its last event says. */
export function expectPrefix(part: Contents, whole: Contents): void {
  expect(part.events.length).toBeGreaterThan(0);
  const isSame = part.events.every((event, index) => {
    const other = whole.events[index];
    return event.position === other.position && event.uid === other.uid && event.text === other.text;
  });
  expect(isSame).toBe(true);
  const last = new Map(part.events.map(({ uid, position }) => [uid, String(position)]));
  expect(new Map(part.resources.map(({ uid, position }) => [uid, position]))).toEqual(last);
}
