import { complete, invalid, judge } from '../validation/admission';
import type { Judge, PartWrite, Writer, WrittenPart } from '../model/kinds/versioning';
import { ratchet } from '../validation/ratcheting';
import { ConversionFailure } from '../conversion/lenses/converter';
import type { Body, Stored } from '../model/versions/spoke-converter';
import { converting } from '../conversion/lenses/unconverted';
import { exactly, transfer } from './exact-view';
import { bodyOf } from './hub-state';
import type { HubState } from './hub-state';
import { convertedBy, converterOf } from './preserved-fields';
import { same } from '../model/fields/values';
import { isNormal, normalise } from '../model/fields/normal-form';
import type { KindDefinition } from '../model/kinds/kind';
import type { JsonObject } from '../model/schema';

/**
 * Writes a part of a resource through a version. Returns the hub's fields of it, defaults filled in and rules checked,
 * and the preserved fields of the spoke. `before` is the stored resource, undefined on create. Throws HttpProblem 400
 * with pointers into the spoke's document for fields that cannot be converted or break a rule of the hub.
 */
export function writeThrough(
  service: Judge,
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  before: HubState | undefined,
  warnings: string[],
): WrittenPart {
  if (version === kind.storageVersion) return { fields, aside: undefined };
  const subject = { kind: kind.kind, version, uid: before?.hub.metadata.uid };
  return converting(subject, () =>
    writeConverted(service, kind, { version, part, fields }, before, warnings),
  );
}

function writeConverted(
  service: Judge,
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  before: HubState | undefined,
  warnings: string[],
): WrittenPart {
  const converter = converterOf(kind, version);
  const stored = before && { hub: bodyOf(kind, before.hub), kept: before.preserved[version]?.aside };
  const shown = stored ? converter.fromHub(stored.hub, stored.kept) : { spec: {}, status: {} };
  // The converter gets a field that the client sent back unchanged as it reads the field itself.
  const exact = before && exactWrite(kind, before, { version, part, fields });
  const asRead = withNulls(kind, { version, part, fields: exact?.converted ?? fields }, shown);
  const spoke: Body = { ...shown, [part]: fields };
  const put = converted(() => converter.toHub({ ...spoke, [part]: asRead }, stored));
  // The converter's result shares structure with the preserved fields, which the hub's defaults must not reach.
  const written = JSON.parse(JSON.stringify(put.hub[part])) as JsonObject;
  const failures = complete(service.settings, kind, { version: kind.storageVersion, part, fields: written });
  const documents = { hub: { ...put.hub, [part]: written }, spoke };
  const { [part]: schema, types } = kind.versions[kind.storageVersion];
  const told = ratchet(failures, written, stored?.hub[part], { schema, types }).map((failure) => ({
    ...failure,
    pointer: converter.toSpokePointer(failure.pointer, documents),
    // The field may have another name here, and another unit.
    detail: `in ${kind.storageVersion}, ${failure.detail}`,
  }));
  judge(service.definition, told, warnings);
  return { fields: written, aside: put.kept, exact };
}

/** Returns a written part without the exact fields that the client left unchanged; undefined where none are preserved. */
function exactWrite(
  kind: KindDefinition,
  { hub, preserved }: HubState,
  { version, part, fields }: PartWrite,
): Writer['exact'] {
  const entry = preserved[version];
  if (entry?.exact?.[part] === undefined) return undefined;
  const { [part]: schema, types } = kind.versions[version];
  const shown = convertedBy(kind, version, bodyOf(kind, hub), entry);
  const read = exactly(shown, entry.exact);
  const converted = transfer(fields, read[part], shown[part], { schema, types }) as JsonObject;
  const isUnchanged = same(fields, read[part]);
  return { sent: isUnchanged ? read[part] : fields, converted, isUnchanged };
}

/**
 * Restores the nulls that the version shows in declared fields, where the client sent back the rest unchanged. They are
 * elements or entries of the storage version (validation modes `warn` and `disabled`), which parsing took for absent.
 */
function withNulls(kind: KindDefinition, { version, part, fields }: PartWrite, shown: Body): JsonObject {
  const { [part]: schema, types } = kind.versions[version];
  if (isNormal(schema, types, shown[part])) return fields;
  const read = structuredClone(shown[part]);
  normalise(schema, types, read);
  return transfer(fields, read, shown[part], { schema, types }) as JsonObject;
}

function converted(convert: () => Stored): Stored {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ConversionFailure ? invalid(error.failures) : error;
  }
}
