import { Document } from 'yaml';
import type { Json } from '../model/project';

/** A value on one line: `{ type: string, rules: [max=200] }`; as JSON where `json` says so. */
export function renderFlow(value: Json, json = false): string {
  const flow = (inner: Json) => renderFlow(inner, json);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return json ? JSON.stringify(value) : scalar(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${flow(key)}: ${flow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A map or a list on lines of their own, without margin; a field's definition, or a rule's, takes one line. */
export function renderBlock(value: Json): string {
  if (Array.isArray(value))
    return value.map((item) => `- ${indent(renderBlock(item), 2).trimStart()}`).join('\n');
  if (!isNested(value)) return renderFlow(value);
  return Object.entries(value)
    .map(
      ([key, inner]) =>
        `${scalar(key)}:${isNested(inner) ? `\n${indent(renderBlock(inner), 2)}` : ` ${renderFlow(inner)}`}`,
    )
    .join('\n');
}

/** Every line of the text, empty ones apart, `columns` further to the right. */
export function indent(text: string, columns: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(columns));
}

/** Keys that a field's definition has, or a conversion rule's. */
const ON_ONE_LINE = ['type', 'hub', 'spoke'];

function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false;
  return !ON_ONE_LINE.some((key) => key in value);
}

/** Quoted where it must be within a flow collection. */
function scalar(value: string | number | boolean | null): string {
  return new Document([value], { flow: true })
    .toString({ lineWidth: 0, flowCollectionPadding: false })
    .trim()
    .slice(1, -1);
}
