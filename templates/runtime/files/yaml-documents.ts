import {
  Composer,
  type CST,
  Document,
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
 * Parses YAML documents; mistakes are in `errors` of each, unknown tags among them: a value would count without its tag.
 * JSON has no values for the known ones, such as `!!binary`, nor numbers such as `.inf`. The library compares each key of a map with all
 * before it, and quotes the line of each mistake: either takes half a minute for 256 KiB. Here, the time is linear.
 */
export function yamlDocuments(text: string): Document.Parsed[] {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const documents = composed(text, lines);
  for (const document of documents) {
    for (const { pos, code, message } of document.warnings)
      document.errors.push(new YAMLParseError(pos, code, message));
    if (document.errors.length === 0) document.errors.push(...wrongKeys(document), ...wrongNumbers(document));
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

/** Returns an error for each key that is in its map already, and for each merge key, which YAML 1.2 takes for a name. */
function wrongKeys(document: Document): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const [start = 0, end = 0] = key.range ?? [];
        if (key.type === 'PLAIN' && key.value === '<<')
          errors.push(new YAMLParseError([start, end], 'UNEXPECTED_TOKEN', MERGE_KEY));
        if (seen.has(name))
          errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(name);
      }
    },
  });
  return errors;
}

/** Returns an error for each number that JSON does not have, or that would be stored as another one. */
function wrongNumbers(document: Document): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(document, {
    Scalar: (_, { value, source = '', range }: Scalar) => {
      if (typeof value !== 'number') return;
      const isKnown = Number.isFinite(value);
      if (isKnown && !(/^[-+]?\d+$/.test(source) && isRounded(source.replace(/^[-+]/, '')))) return;
      const message = isKnown ? roundingOf(source) : `JSON has no number ${source}`;
      const [start, end] = range ?? [0, 0];
      errors.push(new YAMLParseError([start, end], 'UNEXPECTED_TOKEN', message));
    },
  });
  return errors;
}
