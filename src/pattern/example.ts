import type { AST } from '@eslint-community/regexpp';

/** The first of these that a character class accepts stands for it. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ...'-_.:/@#+=,;!?*~^$%&|()[]{}<>"\'`\\ \n\täÄ中',
];
/** The numbers of repetitions beyond the least that are tried. */
const EXTRA = [0, 1, 3, 10];
/** Longer examples help nobody. */
const MAX_LENGTH = 10_000;

/**
 * Returns texts that most likely match a regular expression, short ones first. Only the first of several alternatives is
 * followed, and look-arounds are not looked at, so the caller has to try them.
 */
export function patternExamples(pattern: string): string[] {
  const { parse } = require('./parse') as typeof import('./parse');
  const { alternatives } = parse(pattern);
  return [...new Set(EXTRA.map((extra) => sequence(alternatives[0].elements, extra)))];
}

function sequence(elements: readonly AST.Element[], extra: number): string {
  return elements
    .map((element) => example(element, extra))
    .join('')
    .slice(0, MAX_LENGTH);
}

function example(element: AST.Element, extra: number): string {
  switch (element.type) {
    case 'Quantifier': {
      const { min, max } = element;
      const once = example(element.element, extra);
      return once.repeat(Math.min(min + extra, max, Math.ceil(MAX_LENGTH / Math.max(once.length, 1))));
    }
    case 'Group':
    case 'CapturingGroup':
      return sequence(element.alternatives[0].elements, extra);
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return member(element);
    default:
      return '';
  }
}

/** Returns a character of a class, preferably a common one; empty where none is found. */
function member(node: AST.CharacterSet | AST.CharacterClass): string {
  const accepts = new RegExp(`^${node.raw}$`, 'u');
  const written = node.type === 'CharacterClass' ? node.elements.flatMap(firstOf) : [];
  return [...CHARACTERS, ...written].find((character) => accepts.test(character)) ?? rarer(accepts);
}

function firstOf(element: AST.CharacterClassElement): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  return element.type === 'CharacterClassRange' ? [String.fromCodePoint(element.min.value)] : [];
}

/** Looks for a character that only has a property in common with the others of its class. */
function rarer(accepts: RegExp): string {
  for (let codePoint = 0x80; codePoint < 0x3000; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (accepts.test(character)) return character;
  }
  return '';
}
