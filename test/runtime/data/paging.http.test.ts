import type { Resource } from '../../../templates/runtime/model/resource';
import { onBothStores } from '../support/databases';
import { Shop } from './exchange';

// Pages of a list that is sorted by a field, while others write: what keeps its key is on one page, once.

const STEADY = 30;
const ORDERS = [
  'spec.price',
  '-spec.price',
  'spec.price,-metadata.createdAt',
  '-spec.price,-metadata.createdAt',
];

onBothStores((url) => {
  test('a resource that keeps its key is seen exactly once, whatever is written meanwhile', async () => {
    const shop = await Shop.start(await url());
    try {
      // Every third price is absent, and each is that of several parts.
      const priceOf = (n: number): object => (n % 3 === 0 ? {} : { price: n % 10 });
      for (let n = 0; n < STEADY; n++) await shop.part(`steady-${n}`, priceOf(n));
      const want = Array.from({ length: STEADY }, (_, n) => `steady-${n}`).sort();
      let isDone = false;
      const write = async (writer: number): Promise<number> => {
        let count = 0;
        for (; !isDone; count++) {
          const name = `moving-${writer}-${count % 5}`;
          await shop.send('PUT', `/parts/${name}`, { spec: { sku: name, price: count % 10 } }, NEW);
          await shop.send('PATCH', `/parts/${name}`, { spec: { price: (count * 7) % 11 } });
          await shop.send('PATCH', `/parts/steady-${count % STEADY}`, { spec: { tags: [`t${count}`] } });
          if (count % 3 === 0) await shop.delete(`/parts/${name}`);
        }
        return count;
      };
      const writers = [0, 1].map(write);
      for (let round = 0; round < ORDERS.length; round++) {
        const query = `sort=${ORDERS[round]}&fieldSelector=spec.price!=100&limit=${4 + round}`;
        const names = (await pages(shop, `/parts?${query}`)).map(({ metadata }) => metadata.name);
        expect([query, names.filter((name) => name.startsWith('steady')).sort()]).toEqual([query, want]);
      }
      isDone = true;
      expect(Math.min(...(await Promise.all(writers)))).toBeGreaterThan(0);
    } finally {
      await shop.close();
    }
  });
});

const NEW = { 'If-None-Match': '*' };

/** Returns the resources of all pages. */
async function pages(shop: Shop, first: string): Promise<Resource[]> {
  const found: Resource[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const { status, headers, resource }: Awaited<ReturnType<Shop['get']>> = await shop.get(next);
    expect(status).toBe(200);
    found.push(...(resource as unknown as Resource[]));
    next = /<([^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
  }
  return found;
}
