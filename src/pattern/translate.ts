import type { AST } from '@eslint-community/regexpp';
import { characterText, classText } from './character-class';
import { effort } from './effort';
import { parse } from './parse';
import { bounded, NotLinear, type Piece, quantified } from './repeat';

/**
 * A regular expression of JavaScript for an engine that takes linear time (RE2). A string matches when every pattern of
 * `all` occurs in it and no pattern of `none` does.
 */
export interface LinearPattern {
  all: string[];
  none: string[];
  /** The number of steps that the engine takes for a character, at most. */
  steps: number;
  /** The length of the engine's program. */
  size: number;
}

/** Returns the pattern for the linear engine. Throws what `parse` throws, and NotLinear. */
export function translate(pattern: string): LinearPattern {
  const { around, main } = separate(parse(pattern));
  const conditions = around.map(({ kind, negate, alternatives: inside }) => {
    const branches = inside.map(({ elements }) => elements);
    const { text, steps: size } = bounded(alternatives(branches));
    const [source, from] =
      kind === 'lookahead' ? ([`\\A${text}`, 'start'] as const) : ([`${text}\\z`, 'anywhere'] as const);
    return { negate, source, size, steps: effort(branches, from) };
  });
  const { text, steps: size } = bounded(main.length === 1 ? sequence(main[0]) : alternatives(main));
  return {
    all: [text, ...conditions.filter(({ negate }) => !negate).map(({ source }) => source)],
    none: conditions.filter(({ negate }) => negate).map(({ source }) => source),
    steps: conditions.reduce((sum, { steps }) => sum + steps, effort(main, 'anywhere')),
    size: conditions.reduce((sum, each) => sum + each.size, size),
  };
}

/**
 * Separates the look-arounds that are conditions on the whole text: look-aheads directly behind a leading `^`, and
 * look-behinds directly in front of a trailing `$`. Both are tied to one place, wherever the rest is found.
 */
function separate({ alternatives }: AST.Pattern): {
  around: AST.LookaroundAssertion[];
  main: AST.Element[][];
} {
  const main = alternatives.map(({ elements }) => [...elements]);
  const [only] = main;
  if (main.length > 1 || only === undefined) return { around: [], main };
  const around: AST.LookaroundAssertion[] = [];
  const take = (at: () => number, kind: AST.LookaroundAssertion['kind']): void => {
    for (let next = only[at()]; isLookaround(next) && next.kind === kind; next = only[at()]) {
      around.push(next);
      only.splice(at(), 1);
    }
  };
  if (isEdge(only[0], 'start')) take(() => 1, 'lookahead');
  if (isEdge(only.at(-1), 'end')) take(() => only.length - 2, 'lookbehind');
  return { around, main };
}

function isLookaround(element: AST.Element | undefined): element is AST.LookaroundAssertion {
  return element?.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind');
}

function isEdge(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}

function alternatives(all: readonly AST.Element[][]): Piece {
  const pieces = all.map(sequence);
  return {
    text: `(?:${pieces.map(({ text }) => text).join('|')})`,
    steps: pieces.reduce((sum, { steps }) => sum + steps, pieces.length - 1),
    repeats: Math.max(...pieces.map(({ repeats }) => repeats)),
  };
}

function sequence(elements: readonly AST.Element[]): Piece {
  const pieces = elements.map(piece);
  return {
    text: pieces.map(({ text }) => text).join(''),
    steps: pieces.reduce((sum, { steps }) => sum + steps, pieces.length === 0 ? 1 : 0),
    repeats: Math.max(1, ...pieces.map(({ repeats }) => repeats)),
  };
}

function piece(element: AST.Element): Piece {
  switch (element.type) {
    case 'Quantifier':
      return quantified(piece(element.element), element);
    case 'Group':
    case 'CapturingGroup':
      return alternatives(element.alternatives.map(({ elements }) => elements));
    case 'Assertion':
      return leaf(assertion(element));
    case 'Character':
      return leaf(characterText(element.value));
    case 'CharacterSet':
    case 'CharacterClass':
      return leaf(classText(element));
    case 'Backreference':
      throw new NotLinear(
        `refers back to a group at character ${element.start + 1}`,
        'write out the alternatives; the time that back-references take has no bound',
      );
    default:
      throw new NotLinear(`has ${element.raw} at character ${element.start + 1}, which is not supported`);
  }
}

function leaf(text: string): Piece {
  return { text, steps: 1, repeats: 1 };
}

function assertion(element: AST.Assertion): string {
  switch (element.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'word':
      return element.negate ? '\\B' : '\\b';
    default:
      throw new NotLinear(
        `has a look-${element.kind.slice(4)} at character ${element.start + 1}`,
        'look-aheads are only supported directly behind a leading ^, look-behinds directly before a trailing $',
      );
  }
}
