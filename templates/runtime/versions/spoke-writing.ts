import { converting, isRelated } from '../conversion/lenses/unconverted';
import { normalise } from '../model/fields/normal-form';
import { same, stepInto } from '../model/fields/values';
import { pointerKeys } from '../model/fragment';
import { type KindDefinition, partShape } from '../model/kinds/kind';
import type { Judge, PartWrite, Writer, WrittenPart } from '../model/kinds/versioning';
import type { Failure } from '../model/problem';
import type { Json, JsonObject } from '../model/schema';
import type { Failures } from '../model/versions/spoke-converter';
import type { Body } from '../model/versions/versioning-of';
import { complete, invalid, isFirstStatus, judge, unchanged } from '../validation/admission';
import { exactly, transfer } from './exact-view';
import { bodyOf, type HubState } from './hub-state';
import { convertedBy, converterOf } from './preserved-fields';

/**
 * Writes a part of a resource through a version. Returns the hub's fields of it, defaults filled in and rules checked,
 * and the preserved fields of the spoke. `before` is the stored resource, undefined on create. Throws HttpProblem 400
 * with pointers into the spoke's document for fields that cannot be converted or break a rule of the hub; strict
 * validation reports both at once.
 */
export function writeThrough(
  service: Judge,
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  before: HubState | undefined,
  warnings: string[],
): WrittenPart {
  if (version === kind.storageVersion) return { fields };
  const put = convert(service, kind, { version, part, fields }, before);
  const { unconverted, broken, aside, exact } = put;
  if (unconverted.length > 0)
    throw invalid(service.definition.validation === 'strict' ? [...unconverted, ...broken] : unconverted);
  judge(service.definition, broken, warnings);
  return { fields: put.fields, aside, exact };
}

/**
 * Returns the failures that a write through a version has besides `failures`, those of its own rules: of its conversion,
 * and of the rules of the hub. What follows from a field that failed is left out.
 */
export function laterFailures(
  service: Judge,
  kind: KindDefinition,
  write: PartWrite,
  before: HubState | undefined,
  failures: readonly Failure[],
): Failure[] {
  if (write.version === kind.storageVersion) return [];
  const pointers = failures.map(({ pointer }) => pointer);
  const earlier = pointers.filter((pointer) => pointer.startsWith(`/${write.part}/`));
  const { unconverted, broken } = convert(service, kind, write, before, earlier);
  return [...unconverted, ...broken];
}

/** A written part, and its failures with pointers into the spoke's document: of its conversion, and of the hub's rules. */
interface Converted extends WrittenPart {
  unconverted: Failure[];
  broken: Failure[];
}

function convert(
  service: Judge,
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  before: HubState | undefined,
  earlier?: string[],
): Converted {
  const subject = { kind: kind.kind, version, uid: before?.hub.metadata.uid };
  return converting(subject, () => {
    const converter = converterOf(kind, version);
    const stored = before && {
      hub: bodyOf(kind, before.hub),
      kept: before.preserved[version]?.aside,
      isFirstStatus: part === 'status' && isFirstStatus(kind, before.hub),
    };
    const shown = stored ? converter.fromHub(stored.hub, stored.kept) : { spec: {}, status: {} };
    // The converter gets a field that the client sent back unchanged as it reads the field itself.
    const exact = before && exactWrite(kind, before, { version, part, fields });
    const asRead = withNulls(kind, { version, part, fields: exact?.converted ?? fields }, shown);
    const spoke: Body = { ...shown, [part]: fields };
    const failures: Failures = { found: [], earlier };
    const put = converter.toHub({ ...spoke, [part]: asRead }, stored, failures);
    // The converter's result shares structure with the preserved fields, which the hub's defaults must not reach.
    const written = JSON.parse(JSON.stringify(put.hub[part])) as JsonObject;
    const write = { version: kind.storageVersion, part, fields: written };
    const broken = complete(service.settings, kind, write, unchanged(kind, write, stored?.hub[part]));
    const documents = { hub: { ...put.hub, [part]: written }, spoke };
    return {
      fields: written,
      aside: put.kept,
      exact,
      unconverted: failures.found.filter(({ pointer }) => !isRelated(pointer, earlier ?? [])),
      broken: inSpoke(broken, kind.storageVersion, failures, (pointer) =>
        converter.toSpokePointer(pointer, documents),
      ),
    };
  });
}

/** Returns broken rules of the hub as the spoke reports them: without those of fields that failed before. */
function inSpoke(
  broken: Failure[],
  hub: string,
  { found, earlier }: Failures,
  locate: (pointer: string) => string,
): Failure[] {
  if (broken.length === 0) return broken;
  const failed = [...(earlier ?? []), ...found.map(({ pointer }) => pointer)];
  return broken.flatMap((failure) => {
    const pointer = locate(failure.pointer);
    if (isRelated(pointer, failed)) return [];
    // The field may have another name here, and another unit.
    return [{ ...failure, pointer, detail: `in ${hub}, ${failure.detail}` }];
  });
}

/** Returns a written part without the exact fields that the client left unchanged; undefined where none are preserved. */
function exactWrite(
  kind: KindDefinition,
  { hub, preserved }: HubState,
  { version, part, fields }: PartWrite,
): Writer['exact'] {
  const entry = preserved[version];
  if (entry?.exact?.[part] === undefined) return undefined;
  const shown = convertedBy(kind, version, bodyOf(kind, hub), entry);
  const read = exactly(shown, entry.exact);
  const converted = transfer(fields, read[part], shown[part], partShape(kind, version, part)) as JsonObject;
  const isUnchanged = same(fields, read[part]);
  return { sent: isUnchanged ? read[part] : fields, converted, isUnchanged };
}

/**
 * Restores the nulls that the version shows in declared fields, where the client sent back the rest unchanged. They are
 * elements or entries of the storage version (validation modes `warn` and `disabled`), which parsing took for absent.
 */
function withNulls(kind: KindDefinition, { version, part, fields }: PartWrite, shown: Body): JsonObject {
  const text = JSON.stringify(shown[part]);
  if (!text.includes('null')) return fields;
  const read = JSON.parse(text) as JsonObject;
  const shape = partShape(kind, version, part);
  normalise(shape, read);
  return transfer(fields, read, shown[part], shape) as JsonObject;
}

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
