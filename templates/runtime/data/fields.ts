import type { SentPart } from '../api/parts/data-part';
import { same } from '../model/fields/values';
import { below } from '../model/fragment';
import type { KindDefinition } from '../model/kinds/kind';
import type { Failure } from '../model/problem';
import type { Resource } from '../model/resource';
import type { Json, JsonObject } from '../model/schema';
import { isTooLong, MAX_CHARACTERS } from '../store/indexing/key';
import { inTermsOf, pointerIn, pointerOf } from './places';
import { isIndexedText, type TooLong, valueAt } from './plan/entries';
import { type KindPlan, selectableIn } from './plan/kind-plan';

/** Returns the failures of strings that are too long for an index, in a part as a client sent it. */
export function longFailures(
  { data }: Pick<KindPlan, 'data'>,
  { version, part, fields, client }: SentPart,
): Failure[] {
  const sent = { [part]: fields, metadata: { name: client?.name } } as unknown as Resource;
  const texts = selectableIn(data, version).filter(isIndexedText);
  return texts.flatMap(({ path }) => tooLongAt(valueAt(sent, path), pointerOf(path)).map(longFailure));
}

/** Returns the pointers of the strings in a field that are too long for an index: of the field, or of elements of its list. */
function tooLongAt(value: Json | undefined, pointer: string): string[] {
  if (!Array.isArray(value)) return isTooLong(value) ? [pointer] : [];
  return value.flatMap((element, index) =>
    typeof element === 'string' && isTooLong(element) ? [below(pointer, index)] : [],
  );
}

/** Returns the failures of strings that are too long in some version, as the writing version has them. */
export function longFailuresIn(
  kind: KindDefinition,
  version: string,
  tooLong: readonly TooLong[],
): Failure[] {
  const place = ({ version: shown, path }: TooLong): string => {
    if (shown === version) return pointerOf(path);
    // The field of another version may come from several of this one.
    return shown === kind.storageVersion ? pointerIn(kind, version, pointerOf(path)) : `/${path[0]}`;
  };
  return [...new Set(tooLong.map(place))].map(longFailure);
}

function longFailure(pointer: string): Failure {
  return {
    pointer,
    rule: `max=${MAX_CHARACTERS}`,
    detail: `must have at most ${MAX_CHARACTERS} characters, because it is indexed`,
  };
}

/**
 * Returns the failures of a new spec that changes or removes values of immutable fields. Both specs are the hub's; pointers lead
 * into the document of `version`.
 */
export function immutableFailures(
  { kind, data }: KindPlan,
  before: Resource,
  spec: JsonObject,
  version: string,
): Failure[] {
  const after = { ...before, spec };
  return (data.immutable ?? []).flatMap((path) => {
    const value = valueAt(before, path);
    if (value === undefined || value === null || same(value, valueAt(after, path))) return [];
    const detail = inTermsOf(kind, version, `${path.join('.')} cannot change once it is set`);
    return [{ pointer: pointerIn(kind, version, pointerOf(path)), rule: 'immutable', detail }];
  });
}
