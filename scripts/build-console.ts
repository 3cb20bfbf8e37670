import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { BUILT_CONSOLE, ROOT } from '../src/files/package-root';
import { DARK, LIGHT, MONO, SANS } from '../templates/runtime/pages/page-style';

// npm run build:console: the console of generated services, from console/ to static files with hashes in their names.

/** The colours and fonts of the service's other pages; `data-look` is the choice of the user. Paper is light. */
const PALETTE = `:root { ${LIGHT} --sans: ${SANS}; --mono: ${MONO}; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-look='light']) { ${DARK} } }
@media screen { :root[data-look='dark'] { ${DARK} } }`;

/** Builds the console and returns the paths of its files. */
export async function buildConsole(): Promise<string[]> {
  const source = join(ROOT, 'console/src');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [
      { in: join(source, 'main.tsx'), out: 'main' },
      { in: join(source, 'style/style.css'), out: 'main' },
    ],
    outdir: BUILT_CONSOLE,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    banner: { css: PALETTE },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true,
  });
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  files.push(licences(Object.keys(metafile.inputs)));
  if (!isBuilt(files.map(({ name }) => name))) {
    rmSync(BUILT_CONSOLE, { recursive: true, force: true });
    mkdirSync(BUILT_CONSOLE, { recursive: true });
    for (const { name, text } of files) writeFileSync(join(BUILT_CONSOLE, name), text);
  }
  return files.map(({ name }) => join(BUILT_CONSOLE, name));
}

/** Returns whether the console consists of these files, whose names have their hashes. Others may be reading them. */
function isBuilt(names: string[]): boolean {
  return existsSync(BUILT_CONSOLE) && readdirSync(BUILT_CONSOLE).sort().join() === names.toSorted().join();
}

/** Returns a file with the licences of the packages that bundled files are from: copies must carry them. */
function licences(inputs: string[]): { name: string; text: string } {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].map((folder) => {
    const path = join(ROOT, folder);
    const licence = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
    if (licence === undefined) throw new Error(`${path} has no licence.`);
    const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { name: string };
    return `${name}\n\n${readFileSync(join(path, licence), 'utf8').trim()}\n`;
  });
  const text = texts.sort().join('\n---\n\n');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  return { name: `licences-${digest}.txt`, text };
}

if (require.main === module) {
  buildConsole().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
