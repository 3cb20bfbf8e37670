import type { Body, SpokeConverter } from './conversion/converter';
import type { KindDefinition } from './kind';
import type { Resource } from './resource';
import type { Json, JsonObject } from './schema';

/** What spokes keep aside of one resource, by version. */
export interface Kept {
  [version: string]: Json;
}

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
  const kept = stored.kept === null ? {} : (JSON.parse(stored.kept) as Kept);
  if (stored.version === kind.storageVersion) return { hub: resource, kept };
  const moved = converterOf(kind, stored.version).toHub(bodyOf(kind, resource), undefined);
  const hub = withBody(kind, resource, kind.storageVersion, moved.hub);
  return { hub, kept: withKept(kept, stored.version, moved.kept) };
}

/** A resource as a version shows it. */
export function shownIn(kind: KindDefinition, { hub, kept }: HubState, version: string): Resource {
  if (version === kind.storageVersion) return hub;
  const body = converterOf(kind, version).fromHub(bodyOf(kind, hub), kept[version]);
  return withBody(kind, hub, version, body);
}

/** What spokes keep aside after a write changed the hub's object; `writer` is the version that wrote it. */
export function carryKept(kind: KindDefinition, before: HubState, after: Resource, writer: string): Kept {
  let kept: Kept = before.kept;
  for (const [version, aside] of Object.entries(before.kept)) {
    if (version === writer) continue;
    const converter = kind.versions[version]?.converter;
    if (converter === undefined) continue;
    kept = withKept(kept, version, converter.carry(bodyOf(kind, before.hub), bodyOf(kind, after), aside));
  }
  return kept;
}

/** The converter of a spoke. */
export function converterOf(kind: KindDefinition, version: string): SpokeConverter {
  const converter = kind.versions[version]?.converter;
  if (converter === undefined) throw new Error(`${kind.kind} has no conversion of version ${version}`);
  return converter;
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

/** What is kept aside with another entry for one version; without one where there is nothing. */
export function withKept(kept: Kept, version: string, aside: Json | undefined): Kept {
  const { [version]: _, ...others } = kept;
  return aside === undefined ? others : { ...others, [version]: aside };
}

/** What is kept aside as it is stored. */
export function keptText(kept: Kept): string | null {
  return Object.keys(kept).length > 0 ? JSON.stringify(kept) : null;
}
