import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';

/**
 * The edition of the language whose patterns are accepted: the newest that every supported Node has. Without it, the
 * Node that runs svcgen would decide.
 */
const EDITION = 2024;

/** Returns the syntax tree of a pattern with flag `u`. Throws an error that `syntaxMessage` knows where it is invalid. */
export function parse(pattern: string): AST.Pattern {
  const parser = new RegExpParser({ ecmaVersion: EDITION });
  const tree = parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
  new RegExp(pattern, 'u');
  return tree;
}

/** Returns the reason why a pattern is invalid; undefined for other errors. */
export function syntaxMessage(error: unknown): string | undefined {
  if (!(error instanceof RegExpSyntaxError || error instanceof SyntaxError)) return undefined;
  return error.message.replace(/^Invalid regular expression: .*\/u?: /s, '');
}
