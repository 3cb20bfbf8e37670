import { type Token, Tokens, unexpected } from '../../model/selectors/tokens';

/** Comparisons of a field with one value. */
const COMPARISONS = ['<', '<=', '>', '>='] as const;

/** A term of a field selector as it is written. */
export interface Term {
  /** A dotted path, such as `spec.price`. */
  field: string;
  operator: 'in' | 'notin' | 'present' | 'absent' | (typeof COMPARISONS)[number];
  /** Empty for `present` and `absent`; one value for a comparison. */
  values: string[];
}

const SUBJECT = 'Field selector';

/** Spaces, a symbol, or a word in which a backslash escapes a character that would end it. */
const TOKEN = / +|(==|!=|<=|>=|[,=!<>()])|(?:[^ ,=!<>()\\]|\\[ ,=!<>()\\])+/y;

/**
 * Parses a field selector: terms separated by commas, each one of `f`, `!f`, `f=v`, `f==v`, `f!=v`, `f<v`, `f<=v`, `f>v`,
 * `f>=v`, `f in (a,b)` and `f notin (a,b)`. A value may be empty. A backslash escapes one of `, = ! < > ( ) \` or a space;
 * other spaces separate tokens. An empty selector has no terms. Throws HttpProblem 400 that names the position of an error.
 */
export function parseFieldSelector(text: string): Term[] {
  return new Tokens(tokensOf(text), SUBJECT, text.length).terms(parseTerm);
}

function parseTerm(tokens: Tokens): Term {
  if (tokens.take('!')) return { field: tokens.word('a field'), operator: 'absent', values: [] };
  const field = tokens.word('a field');
  if (tokens.take('=') || tokens.take('==')) return { field, operator: 'in', values: [tokens.value()] };
  if (tokens.take('!=')) return { field, operator: 'notin', values: [tokens.value()] };
  for (const operator of COMPARISONS)
    if (tokens.take(operator)) return { field, operator, values: [tokens.value()] };
  for (const operator of ['in', 'notin'] as const)
    if (tokens.take(operator)) return { field, operator, values: tokens.values() };
  return { field, operator: 'present', values: [] };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    // Everything but a backslash begins a token.
    if (match === null)
      throw unexpected(
        SUBJECT,
        at,
        'one of , = ! < > ( ) \\ or a space after the backslash',
        JSON.stringify(text.slice(at, at + 2)),
      );
    const [source, symbol] = match;
    if (symbol !== undefined) tokens.push({ source, at });
    else if (!source.startsWith(' ')) tokens.push({ source, at, word: source.replace(/\\(.)/gs, '$1') });
  }
  return tokens;
}
