import { create, MERGE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { Cluster, devices } from './devices';
import { openWatch, type Watching, type WatchLine } from './watching';

/** Writers at once, and writes of each. */
const [WRITERS, WRITES] = [16, 6];
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** The object that is created when all others are done. */
const LAST = 'last';

type State = Map<string, object>;

const revisionOf = ({ object }: WatchLine): bigint => BigInt(object.metadata.resourceVersion);

/** Returns whether a line is the bookmark after the objects that a watch begins with. */
function endsInitial({ object }: WatchLine): boolean {
  return object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
}

/** Returns the objects after changes, by name: so informers find them. */
function applied(state: State, lines: readonly WatchLine[]): State {
  const objects = new Map(state);
  for (const { type, object } of lines) {
    if (type === 'DELETED') objects.delete(object.metadata.name);
    else objects.set(object.metadata.name, object);
  }
  return objects;
}

/** A client that follows changes, across restarts of the service. */
class Follower {
  readonly lines: WatchLine[] = [];
  #watching: Watching | undefined;
  #ended: Promise<void> = Promise.resolve();

  /** `state` is what it knew at the start, from a list. */
  constructor(
    readonly start: string,
    readonly state: State | undefined,
  ) {}

  /** Follows a service from where it is. */
  async follow(port: number): Promise<void> {
    await this.#ended;
    // The objects that a watch begins with are in no order of revisions: without their end, a client begins anew.
    const isBegun = this.state !== undefined || this.lines.some(endsInitial);
    if (!isBegun) this.lines.length = 0;
    const reached = this.lines.at(-1)?.object.metadata.resourceVersion ?? this.start;
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const query = isBegun ? `resourceVersion=${reached}` : initial;
    const watching = await openWatch(port, `${devices()}?watch=true&allowWatchBookmarks=true&${query}`);
    this.#watching = watching;
    this.#ended = watching.ended.then(() => void this.lines.push(...watching.lines.splice(0)));
  }

  /** Resolves with all changes when the last object has come. */
  async all(): Promise<WatchLine[]> {
    await this.#watching?.until((lines) => lines.some(({ object }) => object.metadata.name === LAST));
    this.#watching?.close();
    await this.#ended;
    return this.lines.filter(({ type }) => type !== 'BOOKMARK');
  }
}

onBothStores((makeUrl) => {
  const open: Cluster[] = [];
  let environment: { [name: string]: string };

  beforeEach(async () => void (environment = { DATABASE_URL: await makeUrl() }));
  afterEach(() => Promise.all(open.splice(0).map((cluster) => cluster.close())));

  async function start(): Promise<Cluster> {
    const cluster = await Cluster.start({ environment });
    open.push(cluster);
    return cluster;
  }

  async function list(cluster: Cluster): Promise<{ revision: string; state: State }> {
    const { metadata, items } = (await cluster.get(devices())).body;
    const state = new Map<string, object>(
      items.map((item: WatchLine['object']) => [item.metadata.name, item]),
    );
    return { revision: metadata.resourceVersion, state };
  }

  /** Makes one random write; it may be refused, since others write too. */
  async function write({ port }: Cluster): Promise<void> {
    const name = NAMES[Math.floor(Math.random() * NAMES.length)];
    const chance = Math.random();
    const body = { spec: { price: 1 + Math.floor(1_000 * Math.random()) } };
    if (chance < 0.3) {
      const created = { metadata: { name }, spec: { location: 'eu' } };
      await send(port, 'POST', '/devices', {
        headers: { 'Content-Type': 'application/json' },
        body: created,
      });
    } else if (chance < 0.85) await send(port, 'PATCH', `/devices/${name}`, { headers: MERGE, body });
    else await send(port, 'DELETE', `/devices/${name}`);
  }

  test('watches neither miss a change nor go back, whoever writes and whatever ends', async () => {
    const clusters = [await start(), await start()];
    const { revision, state } = await list(clusters[0]);
    const whole = new Follower(revision, state);
    const followers = [whole];
    await whole.follow(clusters[0].port);
    const join = async (cluster: Cluster, follower: Follower): Promise<void> => {
      followers.push(follower);
      await follower.follow(cluster.port);
    };
    const writeMany = async (): Promise<void> => {
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const cluster = clusters[writer % 2];
          for (let count = 0; count < WRITES; count++) {
            await write(cluster);
            if (count % 3 !== writer % 3) continue;
            const listed = writer % 4 === 0 ? undefined : await list(cluster);
            await join(cluster, new Follower(listed?.revision ?? '', listed?.state));
          }
        }),
      );
    };
    await writeMany();
    // Both end, one after the other: their followers go on with a new one.
    for (const index of [0, 1]) {
      await open.shift()!.close();
      clusters[index] = await start();
    }
    for (const [index, follower] of followers.entries()) await follower.follow(clusters[index % 2].port);
    await writeMany();
    await create(clusters[0].port, '/devices', { location: 'eu' }, { name: LAST });

    const changes = await whole.all();
    const final = await list(clusters[1]);
    const revisions = changes.map(revisionOf);
    expect(revisions.every((each, index) => index === 0 || each > revisions[index - 1])).toBe(true);
    expect(applied(state, changes)).toEqual(final.state);
    for (const follower of followers) {
      const lines = await follower.all();
      if (follower.state === undefined) {
        expectNoReturn(lines);
        expect(applied(new Map(), lines)).toEqual(final.state);
        continue;
      }
      expect(lines).toEqual(changes.filter((line) => revisionOf(line) > BigInt(follower.start)));
      expect(applied(follower.state, lines)).toEqual(final.state);
    }

    // What retention removes is expired; from every later revision all is there.
    const { store } = clusters[0].service.service;
    await store.events!.prune({ events: 10, days: 1 }, 100_000);
    for (const [index, { object }] of changes.entries()) {
      const late = new Follower(object.metadata.resourceVersion, new Map());
      const isRetained = index >= changes.length - 11;
      if (!isRetained && index % 20 > 0) continue;
      const query = `watch=true&timeoutSeconds=1&resourceVersion=${late.start}`;
      const watching = await openWatch(clusters[index % 2].port, `${devices()}?${query}`);
      const rest = changes.slice(index + 1);
      const lines = await watching.until(
        ({ length }) => length >= (isRetained ? Math.max(1, rest.length) : 1),
      );
      if (isRetained) expect(lines).toEqual(rest);
      else expect(lines).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    }
  });
});

/** Expects the revisions of each object to grow. */
function expectNoReturn(lines: readonly WatchLine[]): void {
  const reached = new Map<string, bigint>();
  for (const line of lines) {
    const { uid } = line.object.metadata;
    expect(revisionOf(line)).toBeGreaterThan(reached.get(uid) ?? 0n);
    reached.set(uid, revisionOf(line));
  }
}
