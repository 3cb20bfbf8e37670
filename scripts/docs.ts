import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../src/code/markdown';
import { ROOT } from '../src/files/package-root';
import schema from '../src/load/project.schema.json';
import { allSettings, settingsTable } from '../src/render/service/project-files';

// npm run docs: writes anew the parts of docs/ that follow from the code. A test keeps them up to date.

const FOLDER = join(ROOT, 'docs');
const SECTION = /(<!-- generated: (\w+) -->\n)[^]*?(<!-- end -->)/g;

/** The part of project.schema.json that its reference shows. */
interface Node {
  description?: string;
  type?: string | string[];
  enum?: string[];
  default?: unknown;
  $ref?: string;
  items?: Node;
  additionalProperties?: Node | boolean;
  properties?: { [name: string]: Node };
  required?: string[];
  examples?: unknown[];
  patternErrorMessage?: string;
}

const definitions = schema.definitions as { [name: string]: Node };

/** The generated parts, by the name in their comment. */
const SECTIONS: { [name: string]: () => string } = {
  project: () => keysTable(schema),
  info: () => keysTable(definitions['info']),
  group: () => keysTable(definitions['group']),
  deprecation: () => keysTable(definitions['deprecation']),
  kind: () => keysTable(definitions['kind']),
  column: () => keysTable(definitions['columnMapping']),
  kindVersion: () => keysTable(definitions['kindVersion']),
  field: () => keysTable(definitions['field']),
  names: () =>
    markdownTable(
      ['Name', 'Form'],
      Object.values(definitions)
        .filter(({ patternErrorMessage }) => patternErrorMessage !== undefined)
        .map(({ description = '', patternErrorMessage = '' }) => {
          const [subject = ''] = description.split(/[.:]/, 1);
          return [subject, patternErrorMessage].map(cell);
        }),
    ),
  conversionRules: () =>
    markdownTable(
      ['Rule', 'Purpose', 'Example'],
      Object.entries(definitions['conversionRule'].properties!).map(([name, { description = '' }]) => {
        const [, text = '', example = ''] = /^(.*?): (\{.*\})\.$/s.exec(description) ?? [];
        return [`\`${name}\``, cell(text), `\`- ${name}: ${example}\``];
      }),
    ),
  settings: () => settingsTable(allSettings('<name>')),
};

/** Returns a document with every generated part up to date. Throws for a part that nothing generates. */
export function withGenerated(markdown: string): string {
  return markdown.replace(SECTION, (_whole, start: string, name: string, end: string) => {
    const section = SECTIONS[name];
    if (section === undefined) throw new Error(`nothing generates ${name}`);
    return `${start}\n${section()}\n\n${end}`;
  });
}

function keysTable({ properties = {}, required = [] }: Node): string {
  const rows = Object.entries(properties).map(([key, node]) => {
    const { description = '' } = { ...target(node), ...node };
    const value = valueOf(node);
    return [`\`${key}\``, required.includes(key) ? `${value}, required` : value, cell(description)];
  });
  return markdownTable(['Key', 'Value', 'Description'], rows);
}

function target({ $ref }: Node): Node {
  return $ref === undefined ? {} : definitions[nameOf($ref)];
}

function nameOf(ref: string): string {
  return ref.slice('#/definitions/'.length);
}

/** Returns the possible values in a few words. */
function valueOf(node: Node): string {
  if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(', ');
  const { type = 'anything', items, additionalProperties } = { ...target(node), ...node };
  const types = [type].flat().filter((one) => one !== 'null');
  if (items !== undefined) return `list of ${valueOf(items).replace(/^mapping.*|^object$/, 'mappings')}`;
  if (typeof additionalProperties === 'object') return 'mapping by name';
  return types
    .map((one) => (one === 'object' ? 'mapping' : one === 'boolean' ? 'true, false' : one))
    .join(' or ');
}

/** Escapes text for a table cell. */
function cell(text: string): string {
  return text
    .replace(/[|<]/g, '\\$&')
    .replace(/__\w+__|\[[^\]]*\]/g, '`$&`')
    .replace(/'([^'\s])'/g, '`$1`');
}

if (require.main === module) {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.md'))) {
    const path = join(FOLDER, name);
    writeFileSync(path, withGenerated(readFileSync(path, 'utf8')));
  }
}
