import fc from 'fast-check';
import { nextVersionId } from '../../../templates/runtime/history/snapshot';
import { isVersionId } from '../../../templates/runtime/model/versions/version-id';

/** The module remembers its last id; a process starts without one. */
async function fresh(): Promise<typeof nextVersionId> {
  jest.resetModules();
  return (await import('../../../templates/runtime/history/snapshot')).nextVersionId;
}

const NOON = Date.UTC(2030, 0, 31, 12, 0, 0, 5);

test.each<[now: number, previous: string | undefined, want: string]>([
  [NOON, undefined, '20300131120000-1896091200005000000'],
  [NOON, '20300131115959-1896091199999999999', '20300131120000-1896091200005000000'],
  [NOON, '20300131120000-1896091200005000000', '20300131120000-1896091200005000001'],
  [NOON, '20300131120000-1896091200999999999', '20300131120001-1896091201000000000'],
  [NOON - 86_400_000, '20300131120000-1896091200005000000', '20300131120000-1896091200005000001'],
  // What a resource had in this place before its kind had history
  [NOON, '', '20300131120000-1896091200005000000'],
  [NOON, 'v1', '20300131120000-1896091200005000000'],
  [NOON, '1-2-3', '20300131120000-1896091200005000000'],
  [NOON, '99991231235959-99999999999999999999', '20300131120000-1896091200005000000'],
])('at %d after %s: %s', async (now, previous, want) => {
  expect((await fresh())(now, previous)).toBe(want);
});

test('ids of a process and of a resource sort in the order in which they were made, whatever the clock does', () => {
  const step = fc.record({ clock: fc.integer({ min: -1e9, max: 1e9 }), restart: fc.boolean() });
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      let next = await fresh();
      const ids: string[] = [];
      for (const { clock, restart } of steps) {
        if (restart) next = await fresh();
        ids.push(next(NOON + clock, ids.at(-1)));
      }
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(ids.every(isVersionId)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('without a previous one, ids of one process are distinct still', () => {
  const ids = Array.from({ length: 1_000 }, () => nextVersionId(NOON, undefined));
  expect(ids).toEqual([...new Set(ids)].sort());
});

test('a wrong clock of another machine dates no other resource', async () => {
  const next = await fresh();
  expect(next(NOON, '20310131120000-1927627200005000000')).toBe('20310131120000-1927627200005000001');
  expect(next(NOON, undefined)).toMatch(/^20300131120000-/);
});

test.each([
  ['20300131120000-1896091200005000000', true],
  ['20300131120000-1', true],
  ['2030013112000-1', false],
  ['20300131120000', false],
  ['20300131120000-', false],
  ['20300131120000-123456789012345678901', false],
  ['20300131120000-1\n', false],
  ['', false],
])('%j is an id: %s', (text, want) => {
  expect(isVersionId(text)).toBe(want);
});
