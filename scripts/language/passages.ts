import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A piece of text that a person wrote, of which the language is checked. */
export interface Passage {
  /** Path below the root of the repository. */
  file: string;
  /** Counted from 1. */
  line: number;
  kind: 'doc comment' | 'comment' | 'page' | 'identifier' | 'path';
  /** Without comment signs, and without quoted code; an identifier has spaces between its words. */
  text: string;
}

/** Returns the passages of a file: its path, comments and identifiers, or the paragraphs of a page. */
export function passagesOf(root: string, file: string): Passage[] {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const path: Passage = { file, line: 1, kind: 'path', text: wordsOf(file) };
  if (/\.(ts|js)$/.test(file)) return [path, ...programPassages(file, text)];
  if (/\.(ts|js)\.hbs$/.test(file)) return [path, ...templateComments(file, text)];
  return [path, ...pagePassages(file, text)];
}

function programPassages(file: string, text: string): Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map<number, Passage>();
  const identifiers = new Map<string, Passage>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !identifiers.has(node.text)) {
      const line = lineAt(node.getStart());
      identifiers.set(node.text, { file, line, kind: 'identifier', text: wordsOf(node.text) });
    }
    const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const behind = ts.getTrailingCommentRanges(text, node.end) ?? [];
    for (const { pos, end } of [...before, ...behind])
      comments.set(pos, comment(file, lineAt(pos), text.slice(pos, end)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...comments.values(), ...identifiers.values()];
}

/** Reads the comments of a template, which no parser reads: strings that look like comments count as such. */
function templateComments(file: string, text: string): Passage[] {
  return [...text.matchAll(/\/\*\*?[^]*?\*\/|(?<=^\s*)\/\/.*/gm)].map((match) =>
    comment(file, lineOf(text, match.index), match[0]),
  );
}

function comment(file: string, line: number, text: string): Passage {
  const prose = text.replace(/[ \t]*\*\/$|^[ \t]*(?:\/\*+|\*|\/\/)[ \t]?/gm, '').trim();
  return { file, line, kind: text.startsWith('/**') ? 'doc comment' : 'comment', text: withoutCode(prose) };
}

/** Reads the lines of a page outside its blocks of code. */
function pagePassages(file: string, text: string): Passage[] {
  const blanked = text.replace(/^( *)```[^]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ''));
  return blanked
    .split('\n')
    .map((line, index): Passage => ({ file, line: index + 1, kind: 'page', text: withoutCode(line) }))
    .filter((passage) => passage.text.trim() !== '');
}

/** Blanks quoted code and the targets of links. */
function withoutCode(prose: string): string {
  return prose.replace(/`[^`]*`/g, '``').replace(/\]\([^)]*\)/g, ']');
}

/** Returns the words of an identifier or a path in lower case: `keptFields` becomes `kept fields`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .split(/[^A-Za-z0-9]+/)
    .join(' ')
    .toLowerCase();
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
