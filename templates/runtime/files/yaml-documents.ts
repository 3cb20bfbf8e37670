import {
  Composer,
  type CST,
  Document,
  type ErrorCode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  type Scalar,
  visit,
  YAMLParseError,
} from 'yaml';
import { isRounded, roundingOf } from '../model/rounding';

/** Deeper nesting than any resource has. The library overflows the stack at about 800 levels. */
const MAX_DEPTH = 500;

const MERGE_KEY = 'Merge keys are not supported: write the members out, or quote "<<" if it is a name';

/** Thrown for YAML that is nested too deep; the parser's offset is where. */
export class TooDeep extends Error {}

/** Returns the tokens of YAML for a Composer. Throws TooDeep before anything recursive sees more levels than these. */
export function* boundedTokens(parser: Parser, text: string, maxDepth: number): Generator<CST.Token, void> {
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > maxDepth) throw new TooDeep();
  }
  yield* parser.end();
}

/**
 * Parses YAML documents in linear time. By itself, the library compares each key of a map with all before it, and quotes the line
 * of each mistake; either takes half a minute for 256 KiB. Mistakes are in `errors` of each document. They include what JSON lacks:
 * tags, such as `!!binary`, and numbers, such as `.inf`.
 */
export function yamlDocuments(text: string): Document.Parsed[] {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const documents = composed(text, lines);
  for (const document of documents) {
    for (const { pos, code, message } of document.warnings)
      document.errors.push(new YAMLParseError(pos, code, message));
    if (document.errors.length === 0) document.errors.push(...wrongNodes(document));
    for (const error of document.errors) {
      const { line, col } = lines.linePos(error.pos[0]);
      if (error.code === 'NON_STRING_KEY') error.message = 'A key must be a plain string';
      error.message += ` at line ${line}, column ${col}`;
    }
  }
  return documents;
}

function composed(text: string, { addNewLine }: LineCounter): Document.Parsed[] {
  const parser = new Parser(addNewLine);
  try {
    const options = { uniqueKeys: false, prettyErrors: false, resolveKnownTags: false, stringKeys: true };
    const composer = new Composer(options);
    return [...composer.compose(boundedTokens(parser, text, MAX_DEPTH))] as Document.Parsed[];
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const document = new Document(null) as Document.Parsed;
    const message = `It is nested more than ${MAX_DEPTH} levels deep`;
    document.errors.push(new YAMLParseError([parser.offset, parser.offset], 'RESOURCE_EXHAUSTION', message));
    return [document];
  }
}

/**
 * Returns an error for each repeated key, for each merge key, which YAML 1.2 takes for a name, and for each number that JSON lacks
 * or that would be stored as another one.
 */
function wrongNodes(document: Document): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  const report = ({ range }: Scalar, code: ErrorCode, message: string): void => {
    const [start, end] = range ?? [0, 0];
    errors.push(new YAMLParseError([start, end], code, message));
  };
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (key.type === 'PLAIN' && name === '<<') report(key, 'UNEXPECTED_TOKEN', MERGE_KEY);
        if (seen.has(name)) report(key, 'DUPLICATE_KEY', 'Map keys must be unique');
        seen.add(name);
      }
    },
    Scalar: (_, scalar) => {
      const message = wrongNumber(scalar);
      if (message !== undefined) report(scalar, 'UNEXPECTED_TOKEN', message);
    },
  });
  return errors;
}

/** Returns the mistake of a number; undefined where there is none. */
function wrongNumber({ value, source = '' }: Scalar): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `JSON has no number ${source}`;
  return isRounded(source) ? roundingOf(source) : undefined;
}
