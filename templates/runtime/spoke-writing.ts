import { complete, invalid, judge, type Part } from './admission';
import { forgive } from './forgiveness';
import { ConversionFailure, type Body, type Stored } from './conversion/converter';
import { converting } from './conversion/unconverted';
import { bodyOf, type HubState } from './hub-state';
import { converterOf } from './kept';
import type { KindDefinition, ServiceDefinition } from './kind';
import type { Json, JsonObject } from './schema';

/** One part of a resource as a client wants it, in the version that it speaks. */
export interface SpokeWrite {
  version: string;
  part: Part;
  fields: JsonObject;
}

/**
 * Writes a part of a resource through a version: the hub's fields of it, defaults filled in and rules checked, and
 * what a spoke keeps aside. `before` is the stored resource, undefined on create. Throws HttpProblem 400 with
 * pointers into the spoke's document for what cannot be converted or breaks a rule of the hub.
 */
export function writeThrough(
  service: ServiceDefinition,
  kind: KindDefinition,
  { version, part, fields }: SpokeWrite,
  before: HubState | undefined,
  warnings: string[],
): { fields: JsonObject; aside: Json | undefined } {
  if (version === kind.storageVersion) return { fields, aside: undefined };
  const subject = { kind: kind.kind, version, uid: before?.hub.metadata.uid };
  return converting(subject, () =>
    writeConverted(service, kind, { version, part, fields }, before, warnings),
  );
}

function writeConverted(
  service: ServiceDefinition,
  kind: KindDefinition,
  { version, part, fields }: SpokeWrite,
  before: HubState | undefined,
  warnings: string[],
): { fields: JsonObject; aside: Json | undefined } {
  const converter = converterOf(kind, version);
  const stored = before && { hub: bodyOf(kind, before.hub), kept: before.kept[version]?.aside };
  const shown = stored ? converter.fromHub(stored.hub, stored.kept) : { spec: {}, status: {} };
  const spoke: Body = { ...shown, [part]: fields };
  const put = converted(() => converter.toHub(spoke, stored));
  // What conversion gives shares structure with what is kept aside, which the hub's defaults must not reach.
  const written = JSON.parse(JSON.stringify(put.hub[part])) as JsonObject;
  const failures = complete(kind, kind.storageVersion, part, written);
  const documents = { hub: { ...put.hub, [part]: written }, spoke };
  const { [part]: schema, types } = kind.versions[kind.storageVersion];
  const told = forgive(failures, written, stored?.hub[part], { schema, types }).map((failure) => ({
    ...failure,
    pointer: converter.toSpokePointer(failure.pointer, documents),
    // The field may have another name here, and another unit.
    detail: `in ${kind.storageVersion}, ${failure.detail}`,
  }));
  judge(service, told, warnings);
  return { fields: written, aside: put.kept };
}

function converted(convert: () => Stored): Stored {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ConversionFailure ? invalid(error.failures) : error;
  }
}
