import type { Resource } from '../runtime/model/resource';
import type { Place } from './place';

/** Number of resources in the lists. */
const COUNT = 5;

/** A query within the label that all resources of the test have, and the numbers of those that it finds. */
const SELECTED: [query: string, found: number[]][] = [
  ['', [0, 1, 2, 3, 4]],
  [',parity=even', [0, 2, 4]],
  [',parity!=even', [1, 3]],
  [',parity in (odd,other)', [1, 3]],
  [',parity notin (odd)', [0, 2, 4]],
  [',first', [0]],
  [',!first', [1, 2, 3, 4]],
  [',parity=even,!first', [2, 4]],
  [',parity=other', []],
];

const REFUSED = ['limit=0', 'limit=x', 'continue=x', 'labelSelector=%3D%3D', 'label=', 'limit=1&limit=2'];

/** Checks lists: order, label selectors, pages (specification, "Endpoints" 2). */
export function lists(place: Place): void {
  const run = `run-${place.version}-${Math.random().toString(36).slice(2)}`;
  const texts: string[] = [];

  beforeAll(async () => {
    for (let index = 0; index < COUNT; index++) {
      const parity = index % 2 === 0 ? 'even' : 'odd';
      const labels = { run, parity, ...(index === 0 && { first: 'yes' }) };
      texts.push((await place.fresh({ labels })).text);
    }
    await place.fresh();
  });

  for (const [query, want] of SELECTED) {
    test(`labelSelector run=…${query}`, async () => {
      const { text } = await list(place, `labelSelector=${encodeURIComponent(`run=${run}${query}`)}`);
      expect(text).toBe(`[${want.map((index) => texts[index]).join(',')}]`);
    });
  }

  test('label, repeated', async () => {
    const { text } = await list(place, `label=run%3D${run}&label=parity%3Dodd`);
    expect(text).toBe(`[${texts[1]},${texts[3]}]`);
  });

  test('a + in a query is a space, as forms send it', async () => {
    const { text } = await list(place, `labelSelector=run%3D${run},+parity+in+(odd)+,+!first`);
    expect(text).toBe(`[${texts[1]},${texts[3]}]`);
  });

  for (const limit of [1, 2, COUNT, COUNT + 1]) {
    test(`pages of ${limit}: each resource once, in order of creation`, async () => {
      const pages = await follow(place, `${place.url}?limit=${limit}&label=run%3D${run}`);
      expect(pages.flat().map((resource) => JSON.stringify(resource))).toEqual(texts);
      expect(pages.map((page) => page.length)).toEqual(sizes(limit));
    });
  }

  test('without limit, and in pages, the same', async () => {
    const whole = JSON.parse((await list(place, '')).text) as Resource[];
    expect((await follow(place, `${place.url}?limit=7`)).flat()).toEqual(whole);
    expect(whole.length).toBeGreaterThan(COUNT);
  });

  for (const query of REFUSED) {
    test(`?${query}: 400`, async () => {
      expect((await place.send('GET', `${place.url}?${query}`)).status).toBe(400);
    });
  }

  test('a query parameter that is not known is named', async () => {
    expect((await list(place, 'limit=1&unknown=1')).warning).toContain('unknown query parameter unknown');
  });
}

async function list(place: Place, query: string): Promise<{ text: string; warning: string | undefined }> {
  const { status, text, headers } = await place.send('GET', `${place.url}?${query}`);
  expect([status, text]).toEqual([200, text]);
  return { text, warning: headers['warning'] };
}

/** Returns all pages from one on. */
async function follow(place: Place, first: string): Promise<Resource[][]> {
  const pages: Resource[][] = [];
  for (let url: string | undefined = first; url !== undefined;) {
    const { status, text, headers } = await place.send('GET', url);
    expect([status, text]).toEqual([200, text]);
    pages.push(JSON.parse(text) as Resource[]);
    [, url] = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '') ?? [];
  }
  return pages;
}

function sizes(limit: number): number[] {
  const full = Array<number>(Math.floor(COUNT / limit)).fill(limit);
  return COUNT % limit === 0 ? full : [...full, COUNT % limit];
}
