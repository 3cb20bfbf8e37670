import { Document, visit } from 'yaml';

/**
 * Returns a JSON value as YAML. kubectl, Ansible and PyYAML read YAML 1.1, where `yes` and `1:30` are no strings: strings
 * are quoted that are none in either version.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar: (_key, scalar) => {
      // The library would write several blank lines as a block, which reads as another string. Without quotes, `<<` as a
      // name is a merge key, and PyYAML refuses `=`.
      if (typeof scalar.value === 'string' && ['', '<<', '='].includes(scalar.value.trim()))
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
