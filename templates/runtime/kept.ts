import type { Body, SpokeConverter } from './conversion/converter';
import type { KindDefinition } from './kind';
import type { Json } from './schema';

/** What a spoke keeps aside of one resource. */
export interface KeptAside {
  /** In the form of the spoke's converter: it says nothing to those of a service with another hub. */
  aside: Json;
  /** The parts of the resource that `aside` adds to, as the spoke shows them: what such a service reads. */
  shown: Partial<Body>;
}

/** What spokes keep aside of one resource, by version. */
export interface Kept {
  [version: string]: KeptAside;
}

/** The converter of a spoke. */
export function converterOf(kind: KindDefinition, version: string): SpokeConverter {
  const converter = kind.versions[version]?.converter;
  if (converter === undefined) throw new Error(`${kind.kind} has no conversion of version ${version}`);
  return converter;
}

/** Notes what a spoke keeps aside of a resource, where there is something. */
export function keep(
  kept: Kept,
  version: string,
  converter: SpokeConverter,
  hub: Body,
  aside: Json | undefined,
): void {
  if (aside === undefined) return;
  const shown: Partial<Body> = converter.fromHub(hub, aside);
  for (const part of ['spec', 'status'] as const) if (!Object.hasOwn(Object(aside), part)) delete shown[part];
  kept[version] = { aside, shown };
}

/** What is stored as kept aside. */
export function keptOf({ kept }: { kept: string | null }): Kept {
  return kept === null ? {} : (JSON.parse(kept) as Kept);
}

/** What is kept aside of the spec alone: what a snapshot has. */
export function keptOfSpec(kept: Kept): Kept {
  const entries = Object.entries(kept).flatMap(([version, { aside, shown }]) => {
    const { spec } = aside as { spec?: Json };
    return spec === undefined ? [] : [[version, { aside: { spec }, shown: { spec: shown.spec } }] as const];
  });
  return Object.fromEntries(entries);
}

/** What is kept aside as it is stored. */
export function keptText(kept: Kept): string | null {
  return Object.keys(kept).length > 0 ? JSON.stringify(kept) : null;
}
