import { converting } from '../conversion/lenses/unconverted';
import { stepInto } from '../model/fields/values';
import { pointerKeys } from '../model/fragment';
import type { KindDefinition } from '../model/kinds/kind';
import type { PartWrite } from '../model/kinds/versioning';
import type { Failure } from '../model/problem';
import type { Json, JsonObject } from '../model/schema';
import { converterOf } from './preserved-fields';

/**
 * Returns a predicate for the failures of a write: true for a field that a client may leave out, because the rules of the
 * version supply it on reads.
 */
export function suppliedIn(kind: KindDefinition, write: PartWrite): (failure: Failure) => boolean {
  let read: JsonObject | undefined;
  return ({ rule, pointer }) => {
    if (rule !== 'required') return false;
    read ??= readBack(kind, write);
    return pointerKeys(pointer).reduce<Json | undefined>(stepInto, read) !== undefined;
  };
}

/** Returns what the version would read of a write. */
function readBack(kind: KindDefinition, { version, part, fields }: PartWrite): JsonObject {
  const subject = { kind: kind.kind, version, uid: undefined };
  return converting(subject, () => {
    const converter = converterOf(kind, version);
    const put = converter.toHub({ spec: {}, status: {}, [part]: fields }, undefined, { found: [] });
    return { ...converter.fromHub(put.hub, put.kept) };
  });
}
