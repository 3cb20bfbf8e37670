import { Composer, type Document, Parser, type Scalar, visit, type YAMLError } from 'yaml';
import { boundedTokens, TooDeep } from '../../../templates/runtime/files/yaml-documents';
import { MERGE_CONFLICT, MERGE_MARKER, RESOLVE_CONFLICT } from '../../files/merge-conflict';
import type { Mistake } from '../../model/problem';
import { visible } from '../../model/quoted';
import { BARE_RULES, RULES_WITH_VALUE } from '../../model/rule-names';
import { type Report, YamlFile } from './yaml-file';
import { readNode } from './yaml-value';

/** Deeper nesting than any kind needs; YAML parsers take very long, or overflow, on hostile depths. */
const MAX_DEPTH = 200;

/** Parses a file, which problems call by `name`. Reports everything that is wrong; undefined where the syntax is. */
export function parseYaml(name: string, text: string, report: Report): YamlFile | undefined {
  const file = new YamlFile(name, text);
  const documents = compose(file, report);
  if (documents === undefined) return undefined;
  const errors = errorsOf(documents);
  if (documents.length > 1) {
    const message = 'a second YAML document starts here; only one is allowed';
    report({ ...file.offset(documents[1].range[0]), message });
  }
  if (errors.length > 0) reportErrors(file, documents, report);
  if (errors.length > 0 || documents.length > 1) return undefined;
  checkCharacters(file, report);
  file.root = documents[0].contents;
  const data = readNode(file, report);
  if (data === undefined) return undefined;
  file.data = data;
  return file;
}

/** Reports what is wrong with the syntax; only the conflicts where there are any, since their markers are no YAML. */
function reportErrors(file: YamlFile, documents: Document.Parsed[], report: Report): void {
  const { text } = file;
  const conflicts = [...text.matchAll(/^<{7} /gm)];
  // Without the first marker, the conflict is resolved in part.
  const markers = conflicts.length > 0 ? conflicts : [...text.matchAll(new RegExp(MERGE_MARKER, 'gm'))];
  for (const { index } of markers)
    report({ ...file.offset(index), message: MERGE_CONFLICT, hint: RESOLVE_CONFLICT });
  if (markers.length > 0) return;
  const end = text.trimEnd().length;
  for (const error of firstOfEachLine(file, errorsOf(documents))) {
    const offset = openingQuote(documents, error) ?? Math.min(error.pos[0], end);
    report({ ...file.offset(offset), ...explained(error, text) });
  }
}

function errorsOf(documents: Document.Parsed[]): YAMLError[] {
  return documents.flatMap((document) => [...document.errors, ...document.warnings]);
}

/** Returns where a string begins that lacks its closing quote: it may go on to the end of the file. */
function openingQuote(
  documents: Document.Parsed[],
  { message, pos: [offset] }: YAMLError,
): number | undefined {
  let found: number | undefined;
  const look = (_: unknown, { range }: Scalar): void => {
    if (range && range[0] < offset && offset <= range[1]) [found] = range;
  };
  if (/^Missing closing .quote/.test(message)) for (const each of documents) visit(each, { Scalar: look });
  return found;
}

function compose(file: YamlFile, report: Report): Document.Parsed[] | undefined {
  const composer = new Composer({
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const parser = new Parser();
  try {
    return [
      ...composer.compose(boundedTokens(parser, file.text, MAX_DEPTH), true, file.text.length),
    ] as Document.Parsed[];
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const message = `the file is nested more than ${MAX_DEPTH} levels deep`;
    report({ ...file.offset(parser.offset), message });
    return undefined;
  }
}

/** Errors that a missing quote or comma in brackets makes of what follows. */
const CONSEQUENCES = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY'];

/**
 * One mistake often makes several errors. Those after the first on its line say nothing new, and neither does what is
 * no longer taken for a part of the document, or follows from a missing quote.
 */
function firstOfEachLine(file: YamlFile, errors: YAMLError[]): YAMLError[] {
  const lines = new Set<number>();
  const ordered = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const missing = ordered.findIndex(({ code }) => code === 'MISSING_CHAR');
  return ordered
    .filter(({ code }, index) => missing === -1 || index < missing || !CONSEQUENCES.includes(code))
    .filter(({ message }, index) => index === 0 || !/^Unexpected .* token in YAML stream/.test(message))
    .filter(({ pos }) => {
      const { line } = file.lines.linePos(pos[0]);
      return !lines.has(line) && lines.add(line);
    });
}

const HINTS: { [code: string]: string } = {
  BAD_DQ_ESCAPE: 'double the backslash, or use single quotes',
  BAD_ALIAS: 'quote the string if it is meant to start with *',
  BAD_SCALAR_START: 'quote the string',
  BLOCK_AS_IMPLICIT_KEY: 'quote the string if it is meant to contain ": ", or start a new line',
  MISSING_CHAR: 'close the quote, bracket or brace',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'tags are not used here; quote the string if it is meant to start with !',
};

const MESSAGES: { [code: string]: string } = {
  NON_STRING_KEY: 'a key must be a plain string',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
};

/** A bracket or brace in a string without quotes, as in the path of a conversion rule. */
const PATH_WITHOUT_QUOTES = {
  message: 'YAML: a bracket or brace in an unquoted string',
  hint: 'quote the string, such as "spec.ports[].number"',
};

function explained({ code, message, pos }: YAMLError, text: string): Mistake {
  const pattern = unquotedPattern(text, pos[0]);
  if (pattern !== undefined) return pattern;
  if (/^[\w.\]}][[{]$/.test(text.slice(Math.max(0, pos[0] - 1), pos[0] + 1))) return PATH_WITHOUT_QUOTES;
  return { message: `YAML: ${MESSAGES[code] ?? visible(message.split('\n')[0])}`, hint: HINTS[code] };
}

/** Reports characters that YAML forbids outside escapes: controls other than tab and line breaks (YAML 1.2.2, 5.1). */
function checkCharacters(file: YamlFile, report: Report): void {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/.exec(
    file.text,
  );
  if (found === null) return;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const hint = `in a double-quoted string it can be written as \\u${code}`;
  report({ ...file.offset(found.index), message: `the file contains the control character U+${code}`, hint });
}

/** A rule that may stand behind a pattern in the same list. */
const NEXT_RULE = new RegExp(`,\\s*(?:${BARE_RULES.join('|')}|(?:${RULES_WITH_VALUE.join('|')})=[^,]*)\\s*$`);

/**
 * Returns the hint for a problem of YAML at an offset, or behind it on its line, that comes from a pattern without quotes.
 * Undefined where there is none.
 */
function unquotedPattern(text: string, offset: number): Mistake | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start).split(/\r?\n/, 1)[0];
  const found = /(?<=[[,\s-])pattern=.*/.exec(line);
  if (found === null || start + found.index > offset) return undefined;
  let rule = found[0];
  if (line.slice(0, found.index).includes('[')) rule = rule.slice(0, rule.lastIndexOf(']')).trim();
  while (NEXT_RULE.test(rule)) rule = rule.replace(NEXT_RULE, '');
  return {
    message: 'YAML: an unquoted pattern ends at a bracket, a brace, a comma or ": "',
    hint: `write it in single quotes: '${rule.replaceAll("'", "''")}'`,
  };
}
