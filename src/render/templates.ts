import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { stringLiteral } from './literal';

/** The folder of everything that lands in a service. */
export const TEMPLATES = join(__dirname, '..', '..', 'templates');

/** What a template may name; it has to be there. */
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
