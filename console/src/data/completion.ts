/** The words that a selector may have. */
export interface Vocabulary {
  names: { name: string; note: string }[];
  /** Known values, by name, as they are written in a selector. */
  values: ReadonlyMap<string, readonly string[]>;
}

/** A continuation of a text. */
export interface Suggestion {
  /** The suggested word. */
  word: string;
  note: string;
  /** The whole text with it, and the position of the cursor after it. */
  text: string;
  caret: number;
}

/** Maximum number of suggestions. */
const MOST = 30;

const NAME = /^\s*!?([^\s=!<>(),]*)$/;
const COMPARED = /^\s*([^\s=!<>(),]+)\s*(?:==?|!=|<=?|>=?)\s*(.*)$/s;
const LISTED = /^\s*([^\s=!<>(),]+)\s+(?:in|notin)\s*\((?:.*,)?\s*([^,]*)$/s;

/** Suggests words for a selector (`env=prod,tier in (db,web)`) at the cursor: names, then the values of a name. */
export function suggestionsFor(text: string, caret: number, { names, values }: Vocabulary): Suggestion[] {
  const before = text.slice(0, caret);
  const term = before.slice(termStart(before));
  const name = NAME.exec(term)?.[1];
  if (name !== undefined)
    return matching(names, name, ({ name }) => name).map(({ name: word, note }) =>
      suggestion({ text, caret, typed: name, word, note, end: term.includes('!') ? '' : '=' }),
    );
  const [, of, typed] = LISTED.exec(term) ?? COMPARED.exec(term) ?? [];
  if (of === undefined) return [];
  return matching(values.get(of) ?? [], typed, (value) => value)
    .filter((value) => value !== typed)
    .map((word) => suggestion({ text, caret, typed, word, note: '', end: '' }));
}

/** Returns the position after the last comma that separates terms: those in parentheses separate values. */
function termStart(text: string): number {
  let [start, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    else if (text[at] === ',' && depth <= 0) start = at + 1;
  }
  return start;
}

/** Returns the words that contain a text: those that begin with it first. */
function matching<T>(words: readonly T[], typed: string, wordOf: (word: T) => string): T[] {
  const wanted = typed.toLowerCase();
  const rank = (word: T): number => wordOf(word).toLowerCase().indexOf(wanted);
  return words
    .filter((word) => rank(word) >= 0)
    .sort((one, other) => Math.min(rank(one), 1) - Math.min(rank(other), 1))
    .slice(0, MOST);
}

interface Completed {
  text: string;
  caret: number;
  typed: string;
  word: string;
  note: string;
  /** Follows the word. */
  end: string;
}

function suggestion({ text, caret, typed, word, note, end }: Completed): Suggestion {
  const before = text.slice(0, caret - typed.length) + word + end;
  return { word, note, text: before + text.slice(caret), caret: before.length };
}

/** Escapes the characters that end a value of a field selector. */
export function escaped(value: string): string {
  return value.replace(/[ ,=!<>()\\]/g, '\\$&');
}
