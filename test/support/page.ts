import { readFileSync } from 'node:fs';

/** A fenced block of a page and what the comment in front of it says: `<!-- file: src/app.ts -->` gives `file`. */
export interface Block {
  language: string;
  text: string;
  /** The line that it begins at. */
  line: number;
  directive: string | undefined;
  argument: string;
}

const FENCE = /(?:^<!-- ([a-z ]+?)(?:: (.*?))? -->\n\n?)?^```([\w-]*)\n([^]*?)^```$/gm;

/** The fenced blocks of a page in their order. A comment stands right in front of its block. */
export function blocksOf(path: string): Block[] {
  return fencedBlocks(readFileSync(path, 'utf8'));
}

/** The fenced blocks of a Markdown text. */
export function fencedBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(
    ({ index, 1: directive, 2: argument = '', 3: language = '', 4: text = '' }) => ({
      language,
      text,
      line: markdown.slice(0, index).split('\n').length,
      directive,
      argument,
    }),
  );
}

/** Output that differs on every run. */
const CHANGING: [pattern: RegExp, name: string][] = [
  [/\b[a-z]{3}-[0-9a-f]{16}\b/g, '<uid>'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<date>'],
  [/\b\d{14}-\d{19}\b/g, '<version>'],
];

/** Returns whether output is as a page shows it: uids, digests and times may differ, `…` stands for anything. */
export function isAsShown(printed: string, shown: string): boolean {
  const pattern = constant(shown).split('…').map(escaped).join('[^]*?');
  return new RegExp(`^${pattern}$`).test(constant(printed));
}

function constant(text: string): string {
  const lines = text.replace(/\r/g, '').trim();
  return CHANGING.reduce((changed, [pattern, name]) => changed.replace(pattern, name), lines);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
