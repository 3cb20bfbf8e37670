import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../support/free-port';
import { type Block, blocksOf, isAsShown } from '../support/page';
import { Typist } from '../support/typist';

// docs/tutorial.md and the page that goes on with its service, typed from the first line to the last: each file is written,
// each command is run, and what it prints is compared with what the page shows. UPDATE_GOLDEN=1 writes that into the page.

const MINUTES = 60_000;
const root = join(__dirname, '../..');

let folder: string;
let typist: Typist;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen tutorial '));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(root, 'bin/svcgen.js'), join(folder, 'bin/svcgen'));
  typist = new Typist(folder, join(folder, 'bin'), { 8080: await freePort(), 9000: await freePort() });
});

afterAll(async () => {
  await typist.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['docs/tutorial.md', 'docs/controllers.md'])(
  '%s',
  async (name) => {
    const page = join(root, name);
    const blocks = blocksOf(page);
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1];
      await follow(page, block, next?.language === '' && next.directive === undefined ? next : undefined);
    }
  },
  20 * MINUTES,
);

/** Does what a block says. */
async function follow(page: string, block: Block, output: Block | undefined): Promise<void> {
  const { language, directive, argument, text } = block;
  if (directive === 'file') {
    const file = join(typist.cwd, argument);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typist.real(text));
  } else if (directive === 'stays') {
    await typist.stay(text.trim(), text.startsWith('npm start'));
  } else if (directive === 'printed by') {
    await compare(page, block, () => typist.outputOf(argument), true);
  } else if (language === 'sh' && directive !== 'not run') {
    const isRead = !/-X|-d|svcgen|npm|&&/.test(text);
    await compare(page, output, () => typist.type(text), isRead);
  }
}

/** Compares what is printed with what is shown. What only reads is repeated until it is the same: a controller may be under way. */
async function compare(
  page: string,
  shown: Block | undefined,
  print: () => string,
  isRead: boolean,
): Promise<void> {
  let printed = print();
  if (shown === undefined) return;
  const end = performance.now() + 60_000;
  while (!isAsShown(printed, shown.text) && isRead && performance.now() < end) {
    await setTimeout(100);
    printed = print();
  }
  if (isAsShown(printed, shown.text)) return;
  if (process.env['UPDATE_GOLDEN'] !== undefined) return update(page, shown.text, printed);
  const where = `${page}:${shown.line}`;
  expect(`${where}\n${printed}`).toBe(`${where}\n${shown.text}`);
}

function update(page: string, shown: string, printed: string): void {
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(`\`\`\`\n${shown}\`\`\``, () => `\`\`\`\n${printed.trim()}\n\`\`\``),
  );
}
