import { MAX_CHARACTERS } from '../../../templates/runtime/store/indexing/key';
import { Code, literal, type Printable } from '../../code/literal';
import { suppliedFields } from '../../conversion/reports/allowances';
import {
  objectSchema,
  type Schema,
  type Schemas,
  versionSchemas,
  writtenStatus,
} from '../../model/json-schema';
import type { Json, JsonObject, KindVersion } from '../../model/project';
import { exampleOf } from '../../openapi/example';
import { dataOf } from '../../plan/kind-data';
import { kindPath, type PlannedKind, type VersionSubject } from '../../plan/planned-project';
import { renderTemplate } from '../text/templates';
import { brokenValues } from './broken-values';
import { type Creatable, creatable } from './creatable';

type Subject = Pick<PlannedKind, 'group' | 'kind' | 'conversions' | 'targets'>;

/** The generated sources, from a kind's test. */
const GENERATED = '../../../../src/generated';

/** `<kind>.test.ts`: for each version a spec and a status that keep every rule, and values that break one. */
export function kindTestFile(subject: Subject): string {
  const { group, kind } = subject;
  const found = creatableKinds(subject);
  const own = found?.get(kind.name);
  const targets = [...(found?.keys() ?? [])].filter((name) => name !== kind.name);
  const hasNeeds = own !== undefined && own.unique.length + own.references.length > 0;
  const hasData = dataOf(subject) !== undefined;
  const start = 'const examples: { [version: string]: Examples } = ';
  const examples = Object.fromEntries(
    kind.versions.map((version) => {
      const isHub = version.version === group.storageVersion;
      return [version.version, examplesOf({ group, kind, version }, isHub ? { spec: own?.spec } : {})];
    }),
  );
  return renderTemplate('generated/kind.test.ts', {
    path: `${GENERATED}/kinds/${kindPath(subject)}`,
    examples: `${start}${literal(examples, { column: start.length, tail: 1 })};`,
    targets: targets.map((name) => ({
      name,
      path: `${GENERATED}/kinds/${kindPath({ group, kind: { name } })}`,
    })),
    hasData,
    more: [...(hasNeeds ? ['needed'] : []), ...(hasData ? ['data'] : [])].join(', '),
    needed:
      hasNeeds &&
      `const needed: Needed = ${literal(neededBy(own, targets, found!), { column: 23, tail: 1 })};`,
  });
}

/** Returns the specs of a kind, and of the kinds that new resources of it refer to; undefined where one is not found. */
function creatableKinds({ group, kind, targets }: Subject): Map<string, Creatable> | undefined {
  const kinds = [kind, ...targets];
  const found = new Map<string, Creatable>();
  const waiting = [kind];
  // The list grows while it is walked through.
  for (const each of waiting) {
    if (found.has(each.name)) continue;
    const made = creatable(group, each, kinds);
    if (made === undefined) return undefined;
    found.set(each.name, made);
    waiting.push(...made.references.map(({ kind: name }) => kinds.find((target) => target.name === name)!));
  }
  return found;
}

function neededBy(own: Creatable, targets: string[], found: ReadonlyMap<string, Creatable>): Printable {
  const entries = targets.map((name) => {
    const { spec } = found.get(name)!;
    const mounted = { kind: new Code(`${name}Kind`), routes: new Code(`${name}Routes`) };
    return [name, { mounted, spec, needs: needsOf(found.get(name)!) }] as const;
  });
  return { needs: needsOf(own), targets: Object.fromEntries(entries) };
}

function needsOf({ unique, references }: Creatable): Printable {
  return { unique, references: references.map((reference) => ({ ...reference })) };
}

function examplesOf(
  { group, kind, version }: VersionSubject,
  given: { spec?: JsonObject | undefined },
): Printable {
  const { spec, types } = versionSchemas(group, kind, version);
  const status = objectSchema(writtenStatus(kind, version));
  const anySpec = 'spec' in given ? given.spec : exampleOf(spec, types);
  const anyStatus = exampleOf(status, types);
  const supplied = suppliedFields(version, Object.keys(types));
  return {
    spec: anySpec ?? UNDEFINED,
    status: anyStatus ?? UNDEFINED,
    brokenSpecs: broken(spec, types, anySpec, supplied).filter((row) => !isTooLong(row, version)),
    brokenStatuses: broken(status, types, anyStatus, supplied),
  };
}

const UNDEFINED = new Code('undefined');

/** Returns true for a row whose value is too long for an index: that is refused first. */
function isTooLong(row: Printable, { declared }: KindVersion): boolean {
  const [pointer, value, rule] = row as [string, Printable, string];
  const [, max] = /^max=(\d+)$/.exec(rule) ?? [];
  if (max === undefined || Number(max) < MAX_CHARACTERS || typeof value === 'number') return false;
  const path = `spec${pointer.replaceAll('/', '.')}.`;
  return declared.some((field) => path.startsWith(`${field.path.join('.')}.`));
}

/** The rows of a table: the pointer, the value, the rule. */
function broken(
  schema: Schema,
  types: Schemas,
  example: Json | undefined,
  supplied: ReadonlySet<string>,
): readonly Printable[] {
  if (example === undefined) return [];
  return brokenValues(schema, types, example)
    .filter(({ pointer, rule }) => rule !== 'required' || !supplied.has(pointer.split('/').at(-1)!))
    .map(({ pointer, value, rule }) => [pointer, value === undefined ? UNDEFINED : value, rule]);
}
