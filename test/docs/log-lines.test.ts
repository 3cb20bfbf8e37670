import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The table of log lines of docs/operations.md has every line that the runtime logs with a fixed text, and no other.

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const [, section = ''] = /\n## Logs\n(.*?)\n## /s.exec(page) ?? [];
const listed = (section.match(/^\| `.*$/gm) ?? []).flatMap((row) =>
  [...row.split(/(?<!\\)\|/)[1].matchAll(/`([^`]+)`/g)].map(([, line]) => line),
);

const runtime = join(root, 'templates/runtime');
const sources = readdirSync(runtime, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(runtime, name), 'utf8'));

test('every log line with a fixed text is listed', () => {
  const logged = sources.flatMap((text) =>
    [...text.matchAll(/logger\.(?:info|warn|error|fatal)\((?:[^;]*?, )?\s*'([^'\n]+)',?\s*\)/g)].map(
      ([, line]) => line,
    ),
  );
  expect(logged.length).toBeGreaterThan(10);
  expect(logged.filter((line) => !listed.includes(line))).toEqual([]);
});

test.each(listed)('the runtime has the log line “%s”', (line) => {
  expect(sources.some((text) => text.includes(`'${line}'`))).toBe(true);
});
