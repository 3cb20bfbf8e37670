import { suppliedFields } from '../conversion/supplied-fields';
import { brokenValues } from './broken-values';
import { type Schema, versionSchemas } from '../json-schema';
import { kindPath, type KindSubject, type VersionSubject } from './kind-files';
import { Code, literal, type Printable } from './literal';
import type { Json } from '../model';
import { exampleOf } from '../openapi/example';
import { renderTemplate } from './templates';

/** `<kind>.test.ts`: for each version a spec and a status that keep every rule, and values that break one. */
export function kindTestFile(subject: KindSubject): string {
  const { group, kind } = subject;
  const start = 'const examples: { [version: string]: Examples } = ';
  const examples = Object.fromEntries(
    kind.versions.map((version) => [version.version, examplesOf({ group, kind, version })]),
  );
  return renderTemplate('generated/kind.test.ts', {
    path: `../../../src/generated/${kindPath(subject)}`,
    examples: `${start}${literal(examples, { column: start.length, tail: 1 })};`,
  });
}

function examplesOf({ group, kind, version }: VersionSubject): Printable {
  const { spec, status: shown, types } = versionSchemas(group, kind, version);
  const status = kind.history ? withoutField(shown, 'version') : shown;
  const [anySpec, anyStatus] = [example(spec, types), example(status, types)];
  const supplied = suppliedFields(version, Object.keys(types));
  return {
    spec: anySpec ?? UNDEFINED,
    status: anyStatus ?? UNDEFINED,
    brokenSpecs: broken(spec, types, anySpec, supplied),
    brokenStatuses: broken(status, types, anyStatus, supplied),
  };
}

/** An object without a field: the server's own are not for clients to break. */
function withoutField(schema: Schema, name: string): Schema {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: schema.required?.filter((each) => each !== name) };
}

const UNDEFINED = new Code('undefined');

function example(schema: Schema, types: { [name: string]: Schema }): Json | undefined {
  return exampleOf(schema, '', { types, depth: 0 });
}

/** The rows of a table: the pointer, the value, the rule. */
function broken(
  schema: Schema,
  types: { [name: string]: Schema },
  example: Json | undefined,
  supplied: ReadonlySet<string>,
): readonly Printable[] {
  if (example === undefined) return [];
  return brokenValues(schema, types, example)
    .filter(({ pointer, rule }) => rule !== 'required' || !supplied.has(pointer.split('/').at(-1)!))
    .map(({ pointer, value, rule }) => [pointer, value === undefined ? UNDEFINED : value, rule]);
}
