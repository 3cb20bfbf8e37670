import { variant } from '../../../templates/contract/variant';
import { formats } from '../../../templates/runtime/model/rules/formats';
import { brokenRule } from '../../load/fields/check-value';
import { fieldAt } from '../../model/fields';
import type { DeclaredField, Field, Group, Json, JsonObject, Kind, KindVersion } from '../../model/project';
import { exampleSpec, exampleUid, removeOptional } from '../../openapi/kind-example';
import { patternExamples } from '../../pattern/example';
import { declaredOf } from '../../plan/kind-data';
import { inStorageVersion } from '../../plan/planned-project';

/** A reference that a new resource must have. */
interface NeededReference {
  /** Below the spec. */
  path: string[];
  kind: string;
  isList?: true;
  /** The name of its target, where not every uid or name will do. */
  name?: string;
}

/** A valid spec of the storage version for new resources, and what they must have of their own. */
export interface Creatable {
  spec: JsonObject;
  /** Fields below the spec whose values must differ: the first of many variants is in the spec. */
  unique: string[][];
  references: NeededReference[];
}

/** The number of resources whose unique values are known to differ. */
const VARIANTS = 1000;
const NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

/**
 * Returns a spec that a new resource can have, without optional fields that are unique, immutable or references; undefined
 * where none is found. `kinds` are all kinds of the group.
 */
export function creatable(group: Group, kind: Kind, kinds: readonly Kind[]): Creatable | undefined {
  const { version: hub } = inStorageVersion({ group, kind });
  const spec = exampleSpec({ group, kind, version: hub });
  if (spec === undefined) return undefined;
  const made: Creatable = { spec, unique: [], references: [] };
  const declared = declaredOf({ group, kind }).filter(
    ({ path, unique, immutable, ref }) => path[0] === 'spec' && (unique || immutable || ref),
  );
  for (const field of declared) {
    if (removeOptional(made.spec, field.path, group, hub)) continue;
    if (!need(made, field, group, hub, kinds)) return undefined;
  }
  return made;
}

/** Adds what a needed field needs. Returns false where nothing is known that it could have. */
function need(
  made: Creatable,
  declared: DeclaredField,
  group: Group,
  hub: KindVersion,
  kinds: readonly Kind[],
): boolean {
  const { ref, unique, isList } = declared;
  const path = declared.path.slice(1);
  const field = fieldAt(path, hub.spec, group.types)!;
  const target = kinds.find(({ name }) => name === ref?.kind);
  if (target !== undefined) {
    const name = targetName(field, target);
    if (name === null) return false;
    made.references.push({
      path,
      kind: target.name,
      ...(isList && { isList }),
      ...(name !== undefined && { name }),
    });
    return !unique;
  }
  if (!unique) return true;
  const first = firstVariant(field);
  if (first === undefined) return false;
  made.spec = withMember(made.spec, path, first);
  made.unique.push(path);
  return true;
}

/** Returns the name that a target must have, undefined where its uid will do; null where neither is possible. */
function targetName(field: Field, target: Kind): string | undefined | null {
  const preset = field.default;
  if (preset === undefined && brokenRule(exampleUid(target), field.rules) === undefined) return undefined;
  const { pattern } = field.rules;
  const known =
    preset !== undefined
      ? [preset]
      : [target.name.toLowerCase(), ...(pattern ? patternExamples(pattern) : [])];
  const name = known.find(
    (each): each is string =>
      typeof each === 'string' && NAME.test(each) && brokenRule(each, field.rules) === undefined,
  );
  return target.uniqueNames ? (name ?? null) : null;
}

/** Returns a value of which enough variants keep the rules of the field and differ. */
function firstVariant({ name, type, rules }: Field): Json | undefined {
  const { min = 0, max = 0, pattern, format, oneof } = rules;
  const isNumber = type.kind === 'integer' || type.kind === 'number';
  const candidates: Json[] = isNumber
    ? [
        1,
        Math.ceil(min),
        Math.floor(rules.gt ?? 0) + 1,
        Math.floor(max) - VARIANTS,
        Math.ceil(rules.lt ?? 0) - VARIANTS - 1,
      ]
    : type.kind === 'timestamp'
      ? ['2026-01-02T03:04:05.0000Z']
      : [
          ...TEXTS[format ?? 'none'],
          ...(pattern ? patternExamples(pattern) : [`${name}-0000`, '000', '0'.repeat(min)]),
        ];
  if (type.kind === 'boolean' || oneof !== undefined) return undefined;
  return candidates.find((each) => {
    const all = Array.from({ length: VARIANTS }, (_, n) => variant(each, n));
    const isValid = (value: Json): boolean =>
      brokenRule(value, rules) === undefined &&
      (type.kind !== 'timestamp' || formats['date-time'](value as string));
    return (
      new Set(all).size === VARIANTS &&
      [0, 1, 9, 10, 99, 100, 500, VARIANTS - 1].every((n) => isValid(all[n]))
    );
  });
}

const TEXTS = {
  none: [],
  email: ['someone000@example.com', 'a000@b.co'],
  url: ['https://example.com/000', 'http://a/000'],
  ip: ['2001:db8::100', '::100'],
};

/** Returns an object with another value at a path, whose objects are there. */
export function withMember(object: JsonObject, [name, ...rest]: string[], value: Json): JsonObject {
  return {
    ...object,
    [name]: rest.length === 0 ? value : withMember(object[name] as JsonObject, rest, value),
  };
}
