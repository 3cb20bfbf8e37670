import type { Json } from '../../../templates/runtime/model/schema';

/** The notations of a resource as text. */
export type Notation = 'yaml' | 'json';

/** Returns a value as text. The module for YAML is loaded when it is first needed. */
export async function textOf(value: object, notation: Notation): Promise<string> {
  if (notation === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Returns the value of a text. Throws an Error whose message names the line. */
export async function valueOf(text: string, notation: Notation): Promise<Json> {
  if (notation === 'json') return JSON.parse(text) as Json;
  const { parse } = await import('yaml');
  return parse(text) as Json;
}
