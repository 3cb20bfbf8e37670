import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../src/files/package-root';
import { type Passage, passagesOf } from './passages';
import { GLOSSARY, OPENER, type Term } from './terms';

/** The file with the number of passages that each term may still occur in. No number in it may rise. */
export const CEILINGS = join(ROOT, 'test/language/ceilings.json');
/** The share of doc comments that may open with one of the openers. */
const OPENERS = 0.02;
const FOLDERS = ['src', 'templates', 'test', 'bench', 'scripts', 'docs'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const READ = /\.(ts|js|md|ts\.hbs|js\.hbs|md\.hbs)$/;
/** The check names the words that it looks for; clients of other tools are in their words. */
const SKIPPED =
  /node_modules|^(scripts|test)\/language\/|^test\/tools\/[^/]+\/|^test\/.*\b(__snapshots__|corpus)\b/;

/** The passages in which a term occurs, by the name of the term. */
export interface Findings {
  found: Map<string, Passage[]>;
  docComments: number;
}

/** Reads what people wrote in this repository, and finds the terms in it. */
export function checkLanguage(): Findings {
  const passages = sources().flatMap((file) => passagesOf(ROOT, file));
  const found = new Map<string, Passage[]>();
  for (const term of [OPENER, ...GLOSSARY]) {
    const passagesOfTerm = passages.filter((passage) => term.occursIn(passage));
    found.set(term.name, [...(found.get(term.name) ?? []), ...passagesOfTerm]);
  }
  return { found, docComments: passages.filter(({ kind }) => kind === 'doc comment').length };
}

/** Returns the number of passages that each term may occur in. */
export function ceilings({ docComments }: Findings): { [name: string]: number } {
  const written = JSON.parse(readFileSync(CEILINGS, 'utf8')) as { [name: string]: number };
  return {
    ...written,
    [OPENER.name]: Math.max(written[OPENER.name] ?? 0, Math.floor(OPENERS * docComments)),
  };
}

/** Returns what the file of ceilings becomes: no number is higher than before or than what was found. */
export function loweredCeilings(findings: Findings): { [name: string]: number } {
  const before = ceilings(findings);
  const entries = [...findings.found].map(([name, { length }]) => [
    name,
    Math.min(length, before[name] ?? 0),
  ]);
  return Object.fromEntries(entries.filter(([, number]) => number !== 0)) as { [name: string]: number };
}

/** Returns one line for each passage: its place, the term, the field's word, and the passage. */
export function linesOf(name: string, passages: Passage[]): string[] {
  const { instead } = [OPENER, ...GLOSSARY].find((term: Term) => term.name === name)!;
  return passages.map(({ file, line, text }) => `${file}:${line}: ${name} (${instead}): ${shortened(text)}`);
}

function sources(): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  return [...PAGES, ...inFolders].filter((file) => READ.test(file) && !SKIPPED.test(file)).sort();
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
