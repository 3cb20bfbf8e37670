import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Labels, matches, parseSelector } from '../../../../templates/runtime/model/selectors/selector';
import type { Store } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { storeSuite } from '../store-suite';
import { creation, KIND } from '../store-writes';

storeSuite(
  'SQLite in memory',
  async () => ({ open: () => openStore('sqlite::memory:'), drop: async () => undefined }),
  false,
);

for (const writerThread of [false, true]) {
  storeSuite(
    `SQLite in a file, ${writerThread ? 'written by a thread' : 'written in the main thread'}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svcgen-store-'));
      return {
        open: () => openStore(`sqlite:${folder}/data/service.db`, { writerThread }),
        drop: async () => rmSync(folder, { recursive: true }),
      };
    },
    true,
  );
}

describe('selectors among 25,000 resources, where a search is made in steps', () => {
  const sets = Array.from({ length: 25_000 }, (_, n): Labels => {
    const labels: Labels = { all: 'yes', mod: String(n % 7), [n % 2 ? 'odd' : 'even']: '' };
    if (n % 997 === 0) labels['rare'] = String(n);
    return labels;
  });
  let store: Store;

  beforeAll(async () => {
    store = await openStore('sqlite::memory:', { queueWrites: sets.length });
    await store.write(creation('first', { kind: 'another' }));
    await Promise.all(sets.map((labels, n) => store.write(creation(String(n), { labels }))));
  });

  afterAll(() => store.close());

  test.each([
    'all',
    'odd',
    '!odd',
    '!all',
    '!rare',
    'mod=3',
    'mod in (3,4)',
    'mod notin (0,1,2,3,4,5)',
    'all=yes,mod=3',
    'all=yes,odd,even',
    'all=yes,mod in (1,2),!odd',
    'all,rare',
    'rare,mod=1,even',
    'rare in (997,1994,24925)',
    'none',
    'all=no,mod=3',
  ])('%s', async (text) => {
    const selector = parseSelector(text);
    const want = sets.flatMap((labels, n) => (matches(labels, selector) ? [String(n)] : []));
    const whole = await store.list(KIND, { after: 0, limit: Infinity, selector });
    expect(whole.map(({ uid }) => uid)).toEqual(want);
    const from = want.length >> 1;
    const after = from === 0 ? 0 : whole[from - 1].id;
    const page = await store.list(KIND, { after, limit: 50, selector });
    expect(page.map(({ uid }) => uid)).toEqual(want.slice(from, from + 50));
  });

  test('a search under way ends when the store is closed', async () => {
    const closing = await openStore('sqlite::memory:', { queueWrites: sets.length });
    await Promise.all(sets.map((labels, n) => closing.write(creation(String(n), { labels }))));
    const search = closing.list(KIND, { after: 0, limit: 1, selector: parseSelector('!all') });
    void closing.close();
    await expect(search).rejects.toThrow('closed');
  });
});
