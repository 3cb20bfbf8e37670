import { Document, visit } from 'yaml';

/** Returns a JSON value as YAML. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, scalar) => {
      // The library would write several blank lines as a block, which reads as another string. Without quotes, `<<` as a
      // name is a merge key.
      if (typeof scalar.value === 'string' && ['', '<<'].includes(scalar.value.trim()))
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
