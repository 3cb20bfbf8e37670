import Ajv, { type ErrorObject } from 'ajv';
import { pointerKeys } from '../../templates/runtime/model/fragment';
import { MERGE_CONFLICT, MERGE_MARKER } from '../files/merge-conflict';
import { GENERATED_HEADER } from '../files/ownership';
import { parseYaml } from '../load/yaml/parse-yaml';
import { YamlFile } from '../load/yaml/yaml-file';
import { mapInside, mapSchemas, type Schema, versionSchemas } from '../model/json-schema';
import { type Problem, ProjectError } from '../model/problem';
import type { Group, Kind, Project } from '../model/project';
import type { Declaring, LockedData } from './data-changes';
import { LOCK_FILE, RESTORE_LOCK } from './lock-text';
import { BOUND_KEYWORDS } from './schema-changes';

/** The only format so far. */
const LOCK_FORMAT = 1;

/** The repair of a lock with a merge conflict. */
const TAKE_SIDE = 'take the side of the release in use, then run svcgen generate, which rewrites the file';

/** The recorded fields of every version of every kind. */
export interface Lock {
  groups: { [group: string]: { [kind: string]: LockedKind } };
}

/** The record of a kind. */
export interface LockedKind {
  plural: string;
  names?: 'unique';
  /** Absent where an earlier release did not record it. */
  specVersioning?: boolean;
  versions: { [version: string]: Declaring };
}

/** Returns the declarations of a kind in one version; undefined where it has none. */
type DataOf = (kind: Kind, version: string) => LockedData | undefined;

/** A schema of an object with any names. */
const each = (schema: object): object => ({ type: 'object', additionalProperties: schema });
/** A schema of an object with these members; others are allowed. */
const members = (
  properties: { [name: string]: object },
  optional: { [name: string]: object } = {},
): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});
/** Members that all have the same schema. */
const same = (names: string[], schema: object): { [name: string]: object } =>
  Object.fromEntries(names.map((name) => [name, schema]));
const field = { $ref: '#/definitions/field' };
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const data = members(
  {},
  {
    ...same(['selectable', 'unique', 'immutable'], texts),
    refs: each(members({ kind: text, onDelete: text })),
  },
);

const SHAPE = {
  ...members({
    format: { const: LOCK_FORMAT },
    groups: each(
      each(
        members(
          {
            plural: text,
            versions: each(members({ spec: field, status: field, types: each(field) }, { data })),
          },
          { names: { const: 'unique' }, specVersioning: { type: 'boolean' } },
        ),
      ),
    ),
  }),
  definitions: {
    field: {
      type: 'object',
      properties: {
        ...same(['$ref', 'type', 'format', 'pattern', 'x-list-key'], text),
        ...same(BOUND_KEYWORDS, { type: 'number' }),
        properties: each(field),
        required: texts,
        enum: { type: 'array' },
        items: field,
        additionalProperties: { anyOf: [{ const: false }, field] },
      },
    },
  },
};

/** The lock with this text. Throws ProjectError, with the place, for what svcgen would not have written. */
export function readLock(text: string): Lock {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch {
    throw new ProjectError([syntaxProblem(text)]);
  }
  const wrong = wrongPart(lock);
  if (wrong === undefined) {
    // JSON keeps the last of two equal keys, which are there where both sides of a conflict were taken.
    const [repeated] = lockText(lock as Lock) === text ? [] : problemsOf(text);
    if (repeated !== undefined) throw new ProjectError([{ ...repeated, hint: TAKE_SIDE }]);
    return lock as Lock;
  }
  const keys = pointerKeys(wrong.instancePath);
  const message =
    keys[0] === 'format' && typeof (lock as { format: unknown }).format === 'number'
      ? 'this file was written by another release of svcgen'
      : `svcgen did not write this: ${wrong.message}`;
  const place = parseYaml(LOCK_FILE, text, () => undefined)?.value(keys) ?? { file: LOCK_FILE };
  throw new ProjectError([{ ...place, message, hint: RESTORE_LOCK }]);
}

function wrongPart(lock: unknown): Pick<ErrorObject, 'instancePath' | 'message'> | undefined {
  const validate = new Ajv({
    validateSchema: false,
    meta: false,
    ownProperties: true,
    strict: false,
  }).compile(SHAPE);
  try {
    return validate(lock) ? undefined : validate.errors![0];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { instancePath: '', message: 'it is nested too deeply' };
  }
}

function syntaxProblem(text: string): Problem {
  const conflict = MERGE_MARKER.exec(text);
  if (conflict !== null) {
    const place = new YamlFile(LOCK_FILE, text).offset(conflict.index);
    return { ...place, message: MERGE_CONFLICT, hint: TAKE_SIDE };
  }
  const [first] = problemsOf(text);
  const { line = 1, column = 1, source } = first ?? {};
  return { file: LOCK_FILE, line, column, source, message: 'this file is not JSON', hint: RESTORE_LOCK };
}

/** JSON is YAML, whose parser knows the places. */
function problemsOf(text: string): Problem[] {
  const problems: Problem[] = [];
  parseYaml(LOCK_FILE, text, (problem) => problems.push(problem));
  return problems;
}

/** Returns the lock of a project. */
export function lockOf({ groups }: Project, dataOf: DataOf): Lock {
  const locked = groups.map((group) => {
    const kinds = group.kinds.map((kind) => [kind.name, lockedKind(group, kind, dataOf)] as const);
    return [group.name, Object.fromEntries(kinds)] as const;
  });
  return { groups: Object.fromEntries(locked) };
}

/** Returns the text of svcgen.lock. */
export function lockText(lock: Lock): string {
  return `${JSON.stringify({ $comment: GENERATED_HEADER, format: LOCK_FORMAT, ...lock }, null, 2)}\n`;
}

function lockedKind(group: Group, kind: Kind, dataOf: DataOf): LockedKind {
  const versions = kind.versions.map((version) => {
    const { spec, status, types } = versionSchemas(group, kind, version);
    const data = dataOf(kind, version.version);
    return [
      version.version,
      { spec: bare(spec), status: bare(status), types: mapSchemas(types, bare), ...(data && { data }) },
    ] as const;
  });
  return {
    plural: kind.plural,
    ...(kind.uniqueNames && { names: 'unique' }),
    specVersioning: kind.history !== undefined,
    versions: Object.fromEntries(versions),
  };
}

/** A schema without its descriptions: they promise nothing. */
function bare({ description: _, ...schema }: Schema): Schema {
  return mapInside(schema, bare);
}
