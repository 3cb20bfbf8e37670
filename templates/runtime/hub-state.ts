import type { Body } from './conversion/converter';
import { converting, type Subject } from './conversion/unconverted';
import type { Part } from './admission';
import { keep, keptOf, shownBy, stillLeft, type Kept } from './kept';
import type { KindDefinition } from './kind';
import { movedState } from './moved-hub';
import { renewedKept } from './renewed-kept';
import type { Resource } from './resource';
import type { Json, JsonObject } from './schema';

/** A resource in the hub version, and what the spokes keep aside of it. */
export interface HubState {
  hub: Resource;
  kept: Kept;
}

/** What of a row its resource is made of. */
export interface StoredText {
  version: string;
  text: string;
  kept: string | null;
}

/** A stored resource in the hub version; one that an earlier hub wrote is converted. */
export function hubStateOf(kind: KindDefinition, stored: StoredText): HubState {
  const resource = JSON.parse(stored.text) as Resource;
  const kept = keptOf(stored);
  if (stored.version === kind.storageVersion)
    return {
      hub: resource,
      kept: stored.kept === null ? kept : renewedKept(kind, bodyOf(kind, resource), kept),
    };
  const subject = subjectOf(kind, stored.version, resource);
  const moved = converting(subject, () => movedState(kind, stored.version, bodyOf(kind, resource), kept));
  return { hub: withBody(kind, resource, kind.storageVersion, moved.hub), kept: moved.kept };
}

/** A resource as a version shows it. */
export function shownIn(kind: KindDefinition, { hub, kept }: HubState, version: string): Resource {
  if (version === kind.storageVersion) return hub;
  const body = converting(subjectOf(kind, version, hub), () =>
    shownBy(kind, version, bodyOf(kind, hub), kept),
  );
  return withBody(kind, hub, version, body);
}

/** What is said of something that cannot be converted. */
export function subjectOf({ kind }: KindDefinition, version: string, { metadata }: Resource): Subject {
  return { kind, version, uid: metadata.uid };
}

/**
 * What spokes keep aside after a write; `before` is undefined for a create. The version that wrote tells what it
 * keeps aside itself, that of the others is carried on.
 */
export function keptAfter(
  kind: KindDefinition,
  before: HubState | undefined,
  after: Resource,
  writer: { version: string; part: Part; aside: Json | undefined },
): Kept {
  const kept: Kept = {};
  const now = bodyOf(kind, after);
  for (const [version, entry] of Object.entries(before?.kept ?? {})) {
    if (version === writer.version) continue;
    const converter = kind.versions[version]?.converter;
    if (before === undefined || converter === undefined) {
      kept[version] = entry;
      continue;
    }
    const aside = converter.carry(bodyOf(kind, before.hub), now, entry.aside);
    const left = entry.left && stillLeft(kind, version, converter.fromHub(now, aside), entry.left);
    keep(kept, version, kind, now, aside, left);
  }
  if (writer.version === kind.storageVersion) return kept;
  const other = writer.part === 'spec' ? 'status' : 'spec';
  const left = before?.kept[writer.version]?.left?.[other];
  keep(kept, writer.version, kind, now, writer.aside, left && { [other]: left });
  return kept;
}

/** The parts of a resource that are converted. With history, `status.version` is the server's and is not. */
export function bodyOf({ history }: KindDefinition, { spec, status = {} }: Resource): Body {
  if (history === undefined || status['version'] === undefined) return { spec, status };
  const { version: _, ...observed } = status;
  return { spec, status: observed };
}

/** A resource with other parts, in another version. */
export function withBody(
  kind: KindDefinition,
  resource: Resource,
  version: string,
  { spec, status }: Body,
): Resource {
  const serverVersion = kind.history && resource.status?.['version'];
  const whole: JsonObject = serverVersion === undefined ? status : { ...status, version: serverVersion };
  return {
    apiVersion: `${kind.group}/${version}`,
    kind: resource.kind,
    metadata: resource.metadata,
    spec,
    ...(Object.keys(whole).length > 0 && { status: whole }),
  };
}
