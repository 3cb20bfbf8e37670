import { type Document, isScalar, LineCounter, parseAllDocuments, visit, YAMLParseError } from 'yaml';

/**
 * Parses YAML documents; mistakes are in `errors` of each. The library compares each key of a map with all
 * before it, and quotes the line of each mistake: either takes half a minute for 256 KiB. Here, the time is linear.
 */
export function yamlDocuments(text: string): Document.Parsed[] {
  const lines = new LineCounter();
  const options = { uniqueKeys: false, prettyErrors: false, lineCounter: lines };
  const documents = [...parseAllDocuments(text, options)] as Document.Parsed[];
  for (const document of documents) {
    if (document.errors.length === 0) document.errors.push(...repeatedKeys(document));
    for (const error of document.errors) {
      const { line, col } = lines.linePos(error.pos[0]);
      error.message += ` at line ${line}, column ${col}`;
    }
  }
  return documents;
}

/** Returns an error for each key that is in its map already. */
function repeatedKeys(document: Document): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value ?? '');
        const [start = 0, end = 0] = key.range ?? [];
        if (seen.has(name))
          errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(name);
      }
    },
  });
  return errors;
}
