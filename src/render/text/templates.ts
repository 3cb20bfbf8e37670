import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Handlebars from 'handlebars';
import { stringLiteral } from '../../code/literal';
import { TEMPLATES } from '../../files/package-root';

/** The names that a template uses; each has to be there. */
export interface TemplateContext {
  [name: string]: string | boolean | TemplateContext | TemplateContext[] | string[];
}

const handlebars = Handlebars.create();
handlebars.registerHelper('string', (text: string) => stringLiteral(text));

const compiled = new Map<string, HandlebarsTemplateDelegate<TemplateContext>>();

/** Renders `templates/<name>.hbs`. Throws when the template names what the context has not. */
export function renderTemplate(name: string, context: TemplateContext): string {
  let template = compiled.get(name);
  if (template === undefined) {
    const source = readTemplate(`${name}.hbs`);
    template = handlebars.compile(source, { noEscape: true, strict: true, knownHelpersOnly: false });
    compiled.set(name, template);
  }
  return template(context);
}

/** The text of a file in the templates folder. */
export function readTemplate(path: string): string {
  return readFileSync(join(TEMPLATES, path), 'utf8');
}

/** The folders of plain TypeScript that each project gets as they are, and where. */
const COPIED_FOLDERS: { [folder: string]: string } = {
  client: 'src/generated',
  ctl: 'src/generated',
  runtime: 'src/generated',
  laws: 'test/generated',
  contract: 'test/generated',
};

/** Returns every file of these folders, relative to the templates. */
export function copiedFiles(): string[] {
  return Object.keys(COPIED_FOLDERS).flatMap((folder) =>
    readdirSync(join(TEMPLATES, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(TEMPLATES, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}

/** Where a project has such a file. */
export function copiedPath(file: string): string {
  return `${COPIED_FOLDERS[file.split('/', 1)[0]]}/${file}`;
}

/** Returns the text of such a file. Tests import the runtime from the sources. */
export function copiedText(file: string): string {
  const text = readTemplate(file);
  if (!copiedPath(file).startsWith('test/')) return text;
  return text.replaceAll("'../runtime/", "'../../../src/generated/runtime/");
}
