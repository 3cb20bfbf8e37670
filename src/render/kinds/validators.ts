import Ajv, { type Options } from 'ajv';
import { compileSchema, SchemaEnv } from 'ajv/dist/compile';
import { _ } from 'ajv/dist/compile/codegen';
import standaloneCode from 'ajv/dist/standalone';
import { stringLiteral } from '../../code/literal';
import { components } from '../../model/graph';
import {
  mapInside,
  mapSchemas,
  type Schema,
  type Schemas,
  TYPE_REF,
  typeOfRef,
  type VersionSchemas,
} from '../../model/json-schema';
import { boundKeywords } from './validator-keywords';

const FORMATS = ['date-time', 'email', 'url', 'ip'];

/** Formats are functions of the runtime; while compiling, ajv only has to know that they exist. */
function neverCalled(): boolean {
  return true;
}

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  messages: false,
  strict: true,
  inlineRefs: false,
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  code: { source: true, esm: true, lines: true, formats: _`formats` },
};

/**
 * The body of a module that exports `validateSpec` and `validateStatus`, compiled from the schemas.
 * `runtime` is the path of the runtime folder from the module's.
 */
export function validatorModule({ spec, status, types }: VersionSchemas, runtime: string): string {
  const ajv = boundKeywords(new Ajv(OPTIONS));
  for (const format of FORMATS) ajv.addFormat(format, neverCalled);
  const $defs = mapSchemas(types, exact);
  ajv.addSchema({ $id: 'kind', $defs });
  compileTypes(ajv, $defs);
  const validators = { validateSpec: 'spec', validateStatus: 'status' };
  ajv.refs['spec'] = partOf(ajv, exact(spec));
  ajv.refs['status'] = partOf(ajv, exact(status));
  return withImports(typed(shortened(withoutSchemas(standaloneCode(ajv, validators)))), runtime);
}

/**
 * Compiles shared types, each after those that it refers to. Left to itself, ajv compiles one inside the other, which takes
 * stack for each; within a cycle, they call each other through a wrapper.
 */
function compileTypes(ajv: Ajv, types: Schemas): void {
  const { refs } = ajv.schemas['kind']!;
  const graph = new Map(Object.entries(types).map(([name, type]) => [name, refNames(type)]));
  for (const component of components(graph)) {
    const compiled = component.map((name) => {
      const type = partOf(ajv, types[name]);
      refs[`kind${TYPE_REF}${name}`] = type;
      return type;
    });
    for (const type of compiled) compileSchema.call(ajv, type);
  }
}

/** Returns a schema of the kind for ajv to compile; found by its path, ajv would compile all around it first. */
function partOf(ajv: Ajv, schema: Schema): SchemaEnv {
  return new SchemaEnv({ schema, root: ajv.schemas['kind'], baseId: 'kind' });
}

/** Returns the names of the shared types that a schema refers to. */
function refNames({ $ref, properties = {}, items, additionalProperties }: Schema): string[] {
  const inside = [...Object.values(properties), items, additionalProperties];
  const names = inside.flatMap((schema) => (schema ? refNames(schema) : []));
  return $ref === undefined ? names : [...names, typeOfRef($ref)];
}

/** The schema with integers bounded to what a JavaScript number holds exactly. */
function exact(schema: Schema): Schema {
  return {
    ...(schema.type === 'integer' && { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ...mapInside(schema, exact),
  };
}

/** Without the copies of schemas that ajv leaves in its code and nothing reads. */
function withoutSchemas(code: string): string {
  return code.replace(/^const schema\d+ = .*\n/gm, '').replace(/^"use strict";\n?/, '');
}

/** The code with which ajv notes an error, eight lines for each; the compiler of a service reads all of them. */
const NOTE =
  /^const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/gm;

/** The code with which ajv escapes a key in the path of a value, again for each value. */
const STEP = /\b(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g;

/** With errors noted on one line, with long keys escaped once, and without their schemaPath, which nothing reads. */
function shortened(code: string): string {
  return code
    .replace(NOTE, (_, __, error: string) => {
      return `(vErrors ??= []).push(${error.replace(/,schemaPath:"(?:[^"\\]|\\.)*"/, '')});\n`;
    })
    .replace(STEP, 'pointerStep($1)');
}

/** With the types of what is exported written down: to find them out, the compiler would go through the functions. */
function typed(code: string): string {
  return code.replace(/^export const (\w+) = /gm, 'export const $1: Validator = ');
}

/** With the names that ajv's code takes as given imported, those alone that it uses. */
function withImports(code: string, runtime: string): string {
  const required = /^const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;\n/gm;
  const imports = [...code.matchAll(required)].map(
    ([, name]) => `import ${name} from 'ajv/dist/runtime/ucs2length';`,
  );
  const type = `import type { Validator } from ${stringLiteral(`${runtime}/model/kinds/kind`)};`;
  const uses = (name: string): boolean => new RegExp(`^const \\w+ = ${name}\\b`, 'm').test(code);
  const fromRuntime = (names: string, file: string): string =>
    `import { ${names} } from ${stringLiteral(`${runtime}/${file}`)};`;
  if (uses('repeatedKeys')) imports.push(fromRuntime('repeatedKeys', 'model/rules/repeated-keys'));
  // A quote that does not end a string of the code has a backslash before it.
  if (/[^\\]" ?\+ ?pointerStep\(/.test(code))
    imports.push(fromRuntime('pointerStep', 'model/rules/pointer-steps'));
  if (uses('formats')) imports.push(fromRuntime('formats', 'model/rules/formats'));
  if (uses('linearPattern')) {
    imports.unshift("import { RE2Set } from 're2js';");
    imports.push(fromRuntime('isExhausted, linearPattern', 'model/rules/patterns'));
  }
  return [...imports, type, '', code.replace(required, '').trim(), ''].join('\n').trimStart();
}
