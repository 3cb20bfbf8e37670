import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from '../support/page';

// Every command of the README and of docs/ is typed by a test, or says why it is not: `<!-- not run: why -->` stands in front
// of its block. A page with commands needs a test that takes all of them, and a line in the table below.

const root = join(__dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...docs.map((name) => `docs/${name}`)];

/** Blocks that are commands or requests. */
const COMMANDS = new Set(['sh', 'bash', 'shell', 'zsh', 'fish', 'console', 'http']);

/** The tests that take every command of a page, or of its part under a heading. */
const RUN_BY: { [page: string]: { test: string; under?: string } } = {
  'README.md': { test: 'test/journeys/e2e.slow.ts', under: '## Tour' },
  'docs/client.md': { test: 'test/client/client-page.slow.ts' },
  'docs/command-line.md': { test: 'test/cli/convert.test.ts', under: '### convert' },
  'docs/controllers.md': { test: 'test/docs/tutorial.slow.ts' },
  'docs/data.md': { test: 'test/client/data-page.slow.ts' },
  'docs/events.md': { test: 'test/runtime/events/event-page.test.ts' },
  'docs/http.md': { test: 'test/runtime/http/http-examples.test.ts' },
  'docs/kubernetes.md': { test: 'test/tools/kubernetes-page.test.ts' },
  'docs/postgresql.md': { test: 'test/docs/operations.slow.ts' },
  'docs/scale.md': { test: 'test/docs/operations.slow.ts' },
  'docs/sqlite.md': { test: 'test/docs/operations.slow.ts' },
  'docs/tutorial.md': { test: 'test/docs/tutorial.slow.ts' },
};

describe.each(pages)('%s', (page) => {
  const commands = blocksOf(join(root, page)).filter(({ language }) => COMMANDS.has(language));
  const notRun = commands.filter(({ directive }) => directive === 'not run');

  test('each of its commands is run by a test, or says why not', () => {
    const taken = RUN_BY[page];
    const isTaken = ({ line }: Block): boolean => taken !== undefined && isUnder(page, taken.under, line);
    expect(commands.filter((block) => !notRun.includes(block) && !isTaken(block))).toEqual([]);
    if (taken !== undefined) expect(readFileSync(join(root, taken.test), 'utf8')).toContain(page);
  });

  test('what is not run has a reason', () => {
    expect(notRun.filter(({ argument }) => argument.length < 10)).toEqual([]);
  });

  test('a file that is shown is named in the text before it', () => {
    const lines = readFileSync(join(root, page), 'utf8').split('\n');
    const files = blocksOf(join(root, page)).filter(({ directive }) => directive === 'file');
    const unnamed = files.filter(
      ({ argument, line }) =>
        !lines
          .slice(Math.max(0, line - 8), line)
          .join('\n')
          .includes(`\`${argument}\``),
    );
    expect(unnamed.map(({ argument }) => argument)).toEqual([]);
  });

  test('no command hides in a block of another language', () => {
    const others = blocksOf(join(root, page)).filter(({ language }) => !COMMANDS.has(language));
    const hidden = others.filter(({ text }) =>
      /^\$? ?(curl|npm|npx|node|svcgen|docker|kubectl|\w[\w-]*ctl) /m.test(text),
    );
    expect(hidden.map(({ line }) => line)).toEqual([]);
  });
});

/** Returns whether a line of a page is between a heading and the next of its level or above. Without a heading, any line is. */
function isUnder(page: string, heading: string | undefined, line: number): boolean {
  if (heading === undefined) return true;
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const start = lines.indexOf(heading);
  const next = new RegExp(`^#{1,${heading.indexOf(' ')}} `);
  const end = lines.findIndex((text, index) => index > start && next.test(text));
  return line > start && (end === -1 || line <= end);
}
