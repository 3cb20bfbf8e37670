import type { AST } from '@eslint-community/regexpp';

type Range = [first: number, last: number];

const LAST = 0x10ffff;
const LINE_ENDS: Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
/** The escapes of JavaScript, which differ from those of RE2. */
const ESCAPES: { [kind in AST.EscapeCharacterSet['kind']]: Range[] } = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

/**
 * Returns a class of characters, by code points. Properties stay as they are written: what has them is known where the
 * pattern runs (`withProperties`).
 */
export function classText(node: AST.CharacterSet | AST.CharacterClass): string {
  if (node.type === 'CharacterSet') {
    return node.kind === 'any' ? `[^${rangesText(LINE_ENDS)}]` : `[${memberText(node)}]`;
  }
  if (node.elements.length === 0) return `[${node.negate ? '' : '^'}${rangeText([0, LAST])}]`;
  return `[${node.negate ? '^' : ''}${node.elements.map(memberText).join('')}]`;
}

function memberText(node: AST.CharacterClassElement | AST.CharacterSet): string {
  if (node.type === 'Character') return characterText(node.value);
  if (node.type === 'CharacterClassRange') return rangeText([node.min.value, node.max.value]);
  if (node.type !== 'CharacterSet' || node.kind === 'any' || node.kind === 'property') return node.raw;
  const ranges = ESCAPES[node.kind];
  return rangesText(node.negate ? others(ranges) : ranges);
}

function others(ranges: Range[]): Range[] {
  const gaps = ranges.map(([first], index): Range => [(ranges[index - 1]?.[1] ?? -1) + 1, first - 1]);
  return [...gaps, [ranges.at(-1)![1] + 1, LAST]];
}

function rangesText(ranges: Range[]): string {
  return ranges.map(rangeText).join('');
}

function rangeText([first, last]: Range): string {
  return first === last ? characterText(first) : `${characterText(first)}-${characterText(last)}`;
}

/** Returns a character as it means itself, inside a class and outside. */
export function characterText(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (/[\w !"#%&',/:;<=>@`~]/.test(character)) return character;
  // Not as two backslashes: `\p` always is a property then.
  return /[!-[\]-~]/.test(character) ? `\\${character}` : `\\x{${codePoint.toString(16)}}`;
}
