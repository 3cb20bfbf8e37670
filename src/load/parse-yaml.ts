import { Composer, type CST, type Document, Lexer, Parser, type YAMLError } from 'yaml';
import { visible } from '../quoted';
import { type Report, YamlFile } from './yaml-file';
import { readNode } from './yaml-value';

/** Deeper nesting than any kind needs; YAML parsers take very long, or overflow, on hostile depths. */
const MAX_DEPTH = 200;

/**
 * Parses a file. What is wrong in it is reported; the result is undefined when its syntax is.
 * `name` is what problems call it. `parsed` is read in place of the text, and as long as it.
 */
export function parseYaml(name: string, text: string, report: Report, parsed = text): YamlFile | undefined {
  const file = new YamlFile(name, text);
  const documents = compose(file, parsed, report);
  if (documents === undefined) return undefined;
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  if (documents.length > 1) {
    const message = 'a second YAML document starts here; the file may hold one';
    report({ ...file.offset(documents[1].range[0]), message });
  }
  const end = text.trimEnd().length;
  for (const error of firstOfEachLine(file, errors)) {
    report({ ...file.offset(Math.min(error.pos[0], end)), ...explained(error, text) });
  }
  if (errors.length > 0 || documents.length > 1) return undefined;
  checkCharacters(file, report);
  file.root = documents[0].contents;
  const data = readNode(file, report);
  if (data === undefined) return undefined;
  file.data = data;
  return file;
}

function compose(file: YamlFile, text: string, report: Report): Document.Parsed[] | undefined {
  const composer = new Composer({
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const parser = new Parser();
  try {
    return [...composer.compose(bounded(parser, text), true, text.length)] as Document.Parsed[];
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const message = `the file is nested more than ${MAX_DEPTH} levels deep`;
    report({ ...file.offset(parser.offset), message });
    return undefined;
  }
}

class TooDeep extends Error {}

function* bounded(parser: Parser, text: string): Generator<CST.Token, void> {
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) throw new TooDeep();
  }
  yield* parser.end();
}

/**
 * One mistake often makes several errors. Those after the first on its line say nothing new, and neither does what is
 * no longer taken for a part of the document.
 */
function firstOfEachLine(file: YamlFile, errors: YAMLError[]): YAMLError[] {
  const lines = new Set<number>();
  return [...errors]
    .sort((a, b) => a.pos[0] - b.pos[0])
    .filter(({ message }, index) => index === 0 || !/^Unexpected .* token in YAML stream/.test(message))
    .filter(({ pos }) => {
      const { line } = file.lines.linePos(pos[0]);
      return !lines.has(line) && lines.add(line);
    });
}

const HINTS: { [code: string]: string } = {
  BAD_ALIAS: 'quote the text if it is meant to start with *',
  BAD_SCALAR_START: 'quote the text',
  BLOCK_AS_IMPLICIT_KEY: 'quote the text if it is meant to contain ": ", or start a new line',
  MISSING_CHAR: 'close the quote, bracket or brace',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'tags are not used here; quote the text if it is meant to start with !',
};

const MESSAGES: { [code: string]: string } = {
  NON_STRING_KEY: 'a key must be plain text',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
};

/** A bracket or brace behind a text, as in the path of a conversion rule. */
const PATH_WITHOUT_QUOTES = {
  message: 'YAML: a bracket or brace in a text without quotes',
  hint: 'quote the text, such as "spec.ports[].number"',
};

function explained({ code, message, pos }: YAMLError, text: string): { message: string; hint?: string } {
  if (/^[\w.\]}][[{]$/.test(text.slice(Math.max(0, pos[0] - 1), pos[0] + 1))) return PATH_WITHOUT_QUOTES;
  return { message: `YAML: ${MESSAGES[code] ?? visible(message.split('\n')[0])}`, hint: HINTS[code] };
}

/** What YAML allows outside escapes: no controls but tab and line breaks (YAML 1.2.2, 5.1). */
function checkCharacters(file: YamlFile, report: Report): void {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/.exec(
    file.text,
  );
  if (found === null) return;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const hint = `in a text with double quotes it can be written as \\u${code}`;
  report({ ...file.offset(found.index), message: `the file contains the control character U+${code}`, hint });
}
