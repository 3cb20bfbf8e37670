import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withGenerated } from '../../scripts/docs';
import { loadProject } from '../../src/load/load-project';

const root = join(__dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...docs.map((name) => join('docs', name))];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  test('its links lead somewhere', () => {
    const broken = links(text).filter((link) => !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  test('its generated parts are up to date: npm run docs', () => {
    expect(withGenerated(text)).toBe(text);
  });

  test('its whole projects load', () => {
    for (const yaml of blocks(text, 'yaml')) {
      if (/^(#.*\n)*name: /.test(yaml)) loadProject('.', yaml);
    }
  });
});

test('every page is linked from the reference or the README', () => {
  const entries = ['README.md', 'docs/reference.md'];
  const linked = entries.flatMap((page) =>
    links(textOf(page)).map((link) => relative(root, join(root, dirname(page), link.split('#', 1)[0]))),
  );
  expect(pages.filter((page) => !entries.includes(page) && !linked.includes(page))).toEqual([]);
});

/** The targets of links within the project. */
function links(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file, heading] = link.split('#') as [string, string?];
  const path = file === '' ? join(root, page) : join(root, dirname(page), file);
  if (!existsSync(path)) return false;
  return heading === undefined || headings(readFileSync(path, 'utf8')).includes(heading);
}

/** The anchors that GitHub gives the headings of a page. */
function headings(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

/** The code blocks of a language. */
function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text]) => text,
  );
}
