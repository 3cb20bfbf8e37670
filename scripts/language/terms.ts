import type { Passage } from './passages';

/** A word of the house that the field has another word for, or another habit to give up. */
export interface Term {
  name: string;
  instead: string;
  occursIn(passage: Passage): boolean;
}

/** Openers of a sentence that stand for a noun phrase which was not found. */
export const OPENER: Term = {
  name: 'opener',
  instead: 'a verb in the third person, or a noun phrase',
  occursIn: ({ kind, text }) => kind === 'doc comment' && /^(What|Whether|How|Whom|Of)\b/.test(text),
};

const PROSE = ['doc comment', 'comment', 'page'];

/** The terms not to use. Words are looked for where they have the meaning of the house, and not where English needs them. */
export const GLOSSARY: Term[] = [
  // "is kept open" is plain English; a name is about the fields of other versions.
  inNames('kept', 'preserved', /\b(kept|keeps)\b/),
  inNames('aside', 'preserved', /\baside\b/),
  inProse('aside', 'preserved', /\baside\b/i),
  anywhere('left fields', 'orphaned fields', /\bleft fields?\b/i),
  anywhere('moved hub', 'storage migration', /\bmoved hub\b/i),
  inNames('renewed', 're-preserve', /\brenewed\b/),
  anywhere('forgiveness', 'ratcheting', /\bforgiveness\b/i),
  inNames('turns', 'KeyedMutex', /^turns$/),
  inNames('slots', 'Semaphore', /^slots$/),
  inNames('hot rows', 'RowCache', /\bhot rows?\b/),
  inNames('scope', 'object lens', /^scope$/, /^src\/conversion\/|^templates\/runtime\/conversion\//),
  inNames('call', 'RequestContext', /^call$/, /^(templates\/runtime|test\/runtime)\//),
  // An answer to a prompt of `svcgen init` is one.
  anywhere('answer', 'respond, response', /\banswer(s|ed|ing)?\b/i, /^(?!.*\b(questions|init)\b)/),
  inNames('tell', 'report, log, warn', /\b(tells?|told|telling)\b/),
  // "tell one from the other" is plain English.
  inProse('tell', 'report, log, warn', /\b(tells|told|telling)\b/i),
  anywhere('mend', 'fix, repair', /\bmend(s|ed|ing)?\b/i),
  inProse('gives', 'returns', /\bwhat \w+ gives\b|(^|[;,] |\. )(and )?gives\b/i),
  anywhere('beside', 'besides, next to', /\bbeside\b/i),
  inPaths('tables', 'contract tests', /^templates tables\b/),
  inPaths('laws', 'round-trip tests', /^templates laws\b/),
  // Hosts, sockets and mail have addresses.
  inProse(
    'address',
    'path, URL',
    /^(?!.*\b(IP|IPv[46]|hosts?|private|loopback|network|listens?|bind|mail|e-mail|link-local)\b).*\baddress(es)?\b/is,
  ),
  inProse("the user's", 'user-owned', /\b(is|are) the user's\b/i),
  inProse("svcgen's", 'generated', /\b(is|are) svcgen's\b/i),
  inProse('a text', 'a string', /\ba text\b/i),
  anywhere('told positions', 'source positions', /\btold positions?\b/i),
  inProse("of one's own", 'custom', /\bof one's own\b/i),
];

type Occurrence = [name: string, instead: string, pattern: RegExp, files?: RegExp];

function anywhere(...occurrence: Occurrence): Term {
  return term([...PROSE, 'identifier', 'path'], occurrence);
}

function inNames(...occurrence: Occurrence): Term {
  return term(['identifier'], occurrence);
}

function inProse(...occurrence: Occurrence): Term {
  return term(PROSE, occurrence);
}

function inPaths(...occurrence: Occurrence): Term {
  return term(['path'], occurrence);
}

function term(kinds: string[], [name, instead, pattern, files = /^/]: Occurrence): Term {
  return {
    name,
    instead,
    occursIn: ({ kind, text, file }) => kinds.includes(kind) && files.test(file) && pattern.test(text),
  };
}
