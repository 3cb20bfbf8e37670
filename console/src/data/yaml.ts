/** The notations of a resource as text. */
export type Notation = 'yaml' | 'json';

/** Returns a value as text. The module for YAML is loaded when it is first needed. */
export async function textOf(value: object, notation: Notation): Promise<string> {
  if (notation === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  const { yamlText } = await import('../../../templates/runtime/files/yaml-text');
  return yamlText(value);
}
