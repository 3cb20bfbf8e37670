import { Agent } from 'node:http';
import { indexedKinds, plansOf } from '../../../templates/runtime/data/indexed-kinds';
import type { Resource } from '../../../templates/runtime/model/resource';
import { checkIndexes } from '../store/open-store';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { mountedKinds } from '../support/harness';
import { type ServiceProcess, startProcess } from '../support/service-process';
import { Shop } from './exchange';
import { DATA, shopProject } from './shop';

/** Clients that write to two processes of the shop at random, and how often one of these is killed. */
export interface Load {
  clients: number;
  writes: number;
  kills: number;
}

const [PARTS, SUPPLIERS] = [24, 4];

/** The condition of a request that creates a resource under its name. */
export const NEW = { 'If-None-Match': '*' };

/** Starts a process of the shop on a database. */
export const startShop = (url: string): Promise<ServiceProcess> =>
  startProcess({ DATABASE_URL: url, LOG_LEVEL: 'info' }, 'data/shop-child.ts');

/** Numbers below a bound, the same in each run. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random write: creations, other references, renames, deletions. */
function writeOf(draw: (below: number) => number): {
  method: string;
  path: string;
  headers: object;
  body?: object;
} {
  const part = (): string => `part-${draw(PARTS)}`;
  const supplier = (): string => `supplier-${draw(SUPPLIERS)}`;
  const optional = <T>(value: T): T | null => (draw(3) === 0 ? value : null);
  const references = {
    supplier: supplier(),
    parent: optional(part()),
    spare: optional(part()),
    related: [part(), part()],
  };
  const name = part();
  switch (draw(8)) {
    case 0:
      return { method: 'DELETE', path: `/suppliers/${supplier()}`, headers: {} };
    case 1:
      return { method: 'DELETE', path: `/parts/${name}`, headers: {} };
    case 2:
      return {
        method: 'PUT',
        path: `/suppliers/${supplier()}`,
        headers: { ...JSON_TYPE, ...NEW },
        body: { spec: {} },
      };
    case 3:
      return {
        method: 'PATCH',
        path: `/parts/${name}`,
        headers: MERGE,
        body: { metadata: { name: part() } },
      };
    case 4:
    case 5:
      return { method: 'PATCH', path: `/parts/${name}`, headers: MERGE, body: { spec: references } };
    default: {
      const spec = { sku: `sku-${draw(PARTS)}`, supplier: references.supplier };
      return { method: 'PUT', path: `/parts/${name}`, headers: { ...JSON_TYPE, ...NEW }, body: { spec } };
    }
  }
}

/** Returns what is wrong with the stored resources: as the store finds it, and by comparing all of them. */
export async function shopProblems(url: string): Promise<string[]> {
  const shop = await Shop.start(url);
  try {
    const kinds = mountedKinds(shopProject(), {}, DATA).map(({ kind }) => kind);
    const found = await checkIndexes(url, indexedKinds(kinds, plansOf(kinds)));
    const parts = (await shop.get('/parts')).resource as unknown as Resource[];
    const suppliers = (await shop.get('/suppliers')).resource as unknown as Resource[];
    if (parts.length === 0 || suppliers.length === 0) return ['there is nothing to compare'];
    const namesOf = (resources: Resource[]): string[] => resources.map(({ metadata }) => metadata.name);
    const dangling = parts.flatMap(({ metadata, spec }) => {
      const others = [spec['parent'], spec['spare'], ...((spec['related'] ?? []) as string[])];
      const isMissing = others.some((name) => name !== undefined && !namesOf(parts).includes(String(name)));
      return isMissing || !namesOf(suppliers).includes(String(spec['supplier']))
        ? [`${metadata.name} dangles`]
        : [];
    });
    const twice = [...namesOf(parts), ...parts.map(({ spec }) => `sku ${String(spec['sku'])}`)].filter(
      (name, index, all) => all.indexOf(name) !== index,
    );
    return [...found.map((problem) => JSON.stringify(problem)), ...dangling, ...twice];
  } finally {
    await shop.close();
  }
}

/** Runs such a load and returns the number of responses by method and status; a broken connection has the status 0. */
export async function runShopLoad(
  url: string,
  { clients, writes, kills }: Load,
): Promise<Map<string, number>> {
  const [steady, first] = [await startShop(url), await startShop(url)];
  let other = first;
  let left = writes;
  let killed = 0;
  let restart: Promise<void> | undefined;
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  const killInTime = (): void => {
    if (killed >= kills || restart !== undefined || left > (writes * (kills - killed)) / (kills + 1)) return;
    killed += 1;
    other.child.kill('SIGKILL');
    restart = startShop(url).then((again) => {
      other = again;
      restart = undefined;
    });
  };
  const client = async (seed: number): Promise<void> => {
    const draw = drawing(seed);
    while (left-- > 0) {
      killInTime();
      const { method, path, ...sent } = writeOf(draw);
      const port = draw(2) === 0 ? steady.port : other.port;
      const status = await send(port, method, path, { ...sent, headers: { ...sent.headers }, agent }).then(
        (response) => response.status,
        () => 0,
      );
      const key = `${method} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      // A process that is gone refuses at once: those are no writes.
      if (status === 0) left += 1;
      if (status === 0 && restart !== undefined) await restart;
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, (_, seed) => client(seed + 1)));
    await restart;
  } finally {
    agent.destroy();
    for (const { child } of [steady, other]) child.kill('SIGKILL');
  }
  await Promise.all([steady.ended, other.ended]);
  return counts;
}

/** Returns the statuses of such responses that no write of the load should have. A busy machine may refuse with 503. */
export function unexpectedStatuses(counts: ReadonlyMap<string, number>): number[] {
  const statuses = [...counts.keys()].map((key) => Number(key.split(' ')[1]));
  return statuses.filter((status) => ![0, 200, 201, 400, 404, 409, 412, 503].includes(status));
}
