import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const LONGEST = JSON.parse(readFileSync(join(root, 'test/support/longest-files.json'), 'utf8')) as string[];

test.each(LONGEST)('%s, which runs first, exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});
