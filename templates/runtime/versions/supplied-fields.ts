import { converting } from '../conversion/lenses/unconverted';
import type { KindDefinition } from '../model/kinds/kind';
import type { Part, PartWrite } from '../model/kinds/versioning';
import type { Failure } from '../model/problem';
import type { Json, JsonObject } from '../model/schema';
import type { SpokeConverter } from '../model/versions/spoke-converter';
import { child } from '../patch/json-value';
import { converterOf } from './preserved-fields';

/** Returns the failures of a write without those of fields that the rules of the version supply on reads. */
export function refused(
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  failures: Failure[],
): Failure[] {
  const subject = { kind: kind.kind, version, uid: undefined };
  return converting(subject, () => suppliedBy(converterOf(kind, version), part, fields, failures));
}

/** Returns the failures but those of fields that a client may leave out, because the version supplies them on reads. */
function suppliedBy(
  converter: SpokeConverter,
  part: Part,
  fields: JsonObject,
  failures: Failure[],
): Failure[] {
  if (!failures.some(({ rule }) => rule === 'required')) return failures;
  const put = converter.toHub({ spec: {}, status: {}, [part]: fields }, undefined, { found: [] });
  const read = converter.fromHub(put.hub, put.kept);
  const isRead = (pointer: string): boolean =>
    pointer
      .split('/')
      .slice(1)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
      .reduce<Json | undefined>((value, step) => value && child(value, step), { ...read }) !== undefined;
  return failures.filter(({ rule, pointer }) => rule !== 'required' || !isRead(pointer));
}
