import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type ts from 'typescript';
import { isFileError } from '../files/file-errors';
import type { Problem } from '../model/problem';
import { readSource } from './user-source';

const ENTRY = 'src/generated';
/** The public entry points of the generated code: everything, and the client for programs that have no server. */
const PUBLIC = [ENTRY, `${ENTRY}/index`, `${ENTRY}/client`, `${ENTRY}/client/index`];
/** The files with the exports of the entry point. */
const INDEXES = [`${ENTRY}/index.ts`, `${ENTRY}/runtime/index.ts`];
const BELOW_GENERATED = /['"][./]+(?:src\/)?generated\/./;

/** Returns the text of a file of the project, or undefined if there is none. */
type ReadFile = (path: string) => string | undefined;

/**
 * Returns a warning for each import of a user-owned file that reaches below `src/generated`, with the import to write
 * instead. Inner modules move with the releases of svcgen; the entry point stays. `read` knows files that are not written yet.
 */
export function staleImports(folder: string, read: ReadFile): Problem[] {
  const suspects = userFiles(folder).flatMap((path) => {
    const text = readSource(join(folder, path));
    return text !== undefined && BELOW_GENERATED.test(text) ? [{ path, text }] : [];
  });
  if (suspects.length === 0) return [];
  const names = publicNames(read);
  return suspects.flatMap(({ path, text }) => warningsOf(path, text, names));
}

/** The TypeScript files below src and test, relative to the project, without those in folders named `generated`. */
function userFiles(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of entriesOf(join(folder, path))) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'generated' && entry.name !== 'node_modules') visit(inner);
      else if (entry.isFile() && /\.[cm]?tsx?$/.test(entry.name)) found.push(inner);
    }
  };
  for (const top of ['src', 'test']) visit(top);
  return found.sort();
}

/** Returns what a folder holds; nothing where it is missing or cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isFileError(error)) return [];
    throw error;
  }
}

/** By module and name, the name that the entry point exports it under; by name alone for the runtime's. */
function publicNames(read: ReadFile): Map<string, string> {
  const names = new Map<string, string>();
  for (const index of INDEXES) {
    for (const [, list, from] of (read(index) ?? '').matchAll(
      /^export (?:type )?\{([^}]*)\} from '(.*)';/gm,
    )) {
      const module = posix.join(posix.dirname(index), from);
      for (const each of list.split(',').map((part) => part.trim().replace(/^type /, ''))) {
        const [name, as = name] = each.split(' as ') as [string, string?];
        names.set(`${module} ${name}`, as);
        if (module.includes('/runtime/')) names.set(`runtime ${name}`, as);
      }
    }
  }
  return names;
}

/** It takes a while to load, and most projects do not need it. */
function compiler(): typeof ts {
  return require('typescript') as typeof ts;
}

function warningsOf(path: string, text: string, names: Map<string, string>): Problem[] {
  const typescript = compiler();
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest, true);
  const warnings: Problem[] = [];
  const visit = (node: ts.Node): void => {
    if (typescript.isStringLiteral(node)) {
      const module = posix.join(dirname(path), node.text).replace(/\.[cm]?js$/, '');
      const isImport =
        node.text.startsWith('.') && module.startsWith(`${ENTRY}/`) && !PUBLIC.includes(module);
      if (isImport && isSpecifier(node)) warnings.push(warning(source, node, module, names));
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return warnings;
}

/**
 * Returns true for a string that names a module: in an import or export, `import()`, `require()`, a call of jest such as
 * `jest.mock()`, or a type `import('…')`.
 */
function isSpecifier({ parent }: ts.StringLiteral): boolean {
  const typescript = compiler();
  if (typescript.isImportDeclaration(parent) || typescript.isExportDeclaration(parent)) return true;
  if (typescript.isLiteralTypeNode(parent)) return typescript.isImportTypeNode(parent.parent);
  return (
    typescript.isCallExpression(parent) && /^(import|require|jest\.\w+)$/.test(parent.expression.getText())
  );
}

function warning(
  source: ts.SourceFile,
  node: ts.StringLiteral,
  module: string,
  names: Map<string, string>,
): Problem {
  const start = node.getStart(source);
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  const entry = posix.relative(posix.dirname(source.fileName), ENTRY);
  const from = entry.startsWith('.') ? entry : `./${entry}`;
  return {
    file: source.fileName,
    line: line + 1,
    column: character + 1,
    message: `${module} may move with any release of svcgen; your own files import from ${ENTRY} alone`,
    hint: hintFor(node, module, from, names),
    source: source.text.split(/\r?\n/)[line],
  };
}

/** The import to write, or what to do where there is none. */
function hintFor(
  { parent }: ts.StringLiteral,
  module: string,
  from: string,
  names: Map<string, string>,
): string {
  const typescript = compiler();
  const bindings = typescript.isImportDeclaration(parent) ? parent.importClause?.namedBindings : undefined;
  if (bindings === undefined || !typescript.isNamedImports(bindings))
    return `import from '${from}' what you use of it`;
  const missing: string[] = [];
  const parts = bindings.elements.flatMap((element) => {
    const local = element.name.text;
    const exported = publicName(names, module, element.propertyName?.text ?? local);
    if (exported !== undefined)
      return [
        `${element.isTypeOnly ? 'type ' : ''}${exported === local ? local : `${exported} as ${local}`}`,
      ];
    missing.push(element.propertyName?.text ?? local);
    return [];
  });
  const { phaseModifier } = (parent as ts.ImportDeclaration).importClause!;
  const type = phaseModifier === undefined ? '' : 'type ';
  const write = `write: import ${type}{ ${parts.join(', ')} } from '${from}';`;
  if (missing.length === 0) return write;
  const lost = `${missing.join(' and ')}: internal, with no public name; ${insteadOf(names, module)}`;
  return parts.length === 0 ? lost : `${write} ${lost}`;
}

/** Returns what to do about a name that is not public. Shared types of a group are in the modules of the kinds that use them. */
function insteadOf(names: Map<string, string>, module: string): string {
  const places = placesOf(module);
  const spec = [...names].find(([name]) =>
    places.some((place) => name.startsWith(`${place} `) && name.endsWith('Spec')),
  );
  return spec === undefined ? 'do without' : `derive it from a field that has it, such as ${spec[1]}['name']`;
}

/** Returns the name that the entry point exports a name of a module under. */
function publicName(names: Map<string, string>, module: string, name: string): string | undefined {
  const places = [...placesOf(module), ...(module.startsWith(`${ENTRY}/runtime/`) ? ['runtime'] : [])];
  return places.map((place) => names.get(`${place} ${name}`)).find((each) => each !== undefined);
}

/** The modules of a kind were at `src/generated/<group>/<kind>/` before they had a folder `kinds`. */
function placesOf(module: string): string[] {
  return [module, `${ENTRY}/kinds/${module.slice(ENTRY.length + 1)}`];
}
