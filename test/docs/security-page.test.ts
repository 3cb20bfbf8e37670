import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const file = join(__dirname, '../../docs/security.md');
const page = readFileSync(file, 'utf8');
const rows = page.split('\n').filter((line) => /^\| API\d/.test(line));
const cited = [...page.matchAll(/\]\((\.\.\/test\/[^)]+)\)(?:: “([^”]+)”)?/g)];

test('every risk is settled by default or by a hook, and has a test', () => {
  const unsettled = rows.filter((row) => !/\| (Default|Hook): /.test(row) || !/\]\(\.\.\/test\//.test(row));
  expect(unsettled).toEqual([]);
  expect(rows.map((row) => row.match(/^\| API(\d+) /)?.[1])).toEqual(
    Array.from({ length: 10 }, (_, n) => String(n + 1)),
  );
});

test.each(cited.map(([, path, title = '']) => [path, title] as const))(
  '%s has the test “%s”',
  (path, title) => {
    const text = readFileSync(join(dirname(file), path), 'utf8');
    if (title !== '') expect(text).toContain(`('${title}'`);
  },
);
