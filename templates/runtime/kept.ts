import type { Body, SpokeConverter } from './conversion/converter';
import { set, unlessEmpty } from './conversion/values';
import type { KindDefinition } from './kind';
import { leftOf, withLeft } from './left-fields';
import type { Json, JsonObject } from './schema';

/** What a spoke keeps aside of one resource. */
export interface KeptAside {
  /** In the form of the spoke's converter: it says nothing to those of a service with another hub or other rules. */
  aside?: Json;
  /** What converters before had kept and the present one has no place for, as it was shown. */
  left?: Partial<Body>;
  /** The parts of the resource that these add to, as the spoke shows them: what such a service reads. */
  shown: Partial<Body>;
  /** The rules of the converter that kept it. */
  rules?: string;
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

/** What a version shows of an object of the hub. */
export function shownBy(kind: KindDefinition, version: string, hub: Body, kept: Kept): Body {
  const { aside, left } = kept[version] ?? {};
  return completed(kind, version, converterOf(kind, version).fromHub(hub, aside), left);
}

function completed(
  kind: KindDefinition,
  version: string,
  shown: Body,
  left: Partial<Body> | undefined,
): Body {
  if (left === undefined) return shown;
  const { types, ...schemas } = kind.versions[version]!;
  const whole = { ...shown };
  for (const part of PARTS) {
    const shape = { schema: schemas[part], types };
    whole[part] = withLeft(shown[part], left[part], shape) as JsonObject;
  }
  return whole;
}

const PARTS = ['spec', 'status'] as const;

/** What of `left` a version does not show by itself; undefined where that is nothing. */
export function stillLeft(
  kind: KindDefinition,
  version: string,
  shown: Body,
  left: Partial<Body> | undefined,
): Partial<Body> | undefined {
  if (left === undefined) return undefined;
  const { types, ...schemas } = kind.versions[version]!;
  const still: { [part: string]: JsonObject } = {};
  for (const part of PARTS)
    set(still, part, leftOf(shown[part], left[part], { schema: schemas[part], types }));
  return unlessEmpty(still);
}

/** What is stored of what a spoke keeps aside; undefined where that is nothing. */
export function entryOf(
  kind: KindDefinition,
  version: string,
  hub: Body,
  aside: Json | undefined,
  left?: Partial<Body>,
): KeptAside | undefined {
  if (aside === undefined && left === undefined) return undefined;
  const { fromHub, rules } = converterOf(kind, version);
  const shown: Partial<Body> = completed(kind, version, fromHub(hub, aside), left);
  for (const part of PARTS)
    if (!Object.hasOwn(Object(aside), part) && left?.[part] === undefined) delete shown[part];
  return { ...(aside !== undefined && { aside }), ...(left !== undefined && { left }), shown, rules };
}

/** Notes what a spoke keeps aside of a resource, where there is something. */
export function keep(
  kept: Kept,
  version: string,
  kind: KindDefinition,
  hub: Body,
  aside: Json | undefined,
  left?: Partial<Body>,
): void {
  const entry = entryOf(kind, version, hub, aside, left);
  if (entry !== undefined) kept[version] = entry;
}

/** What is stored as kept aside. */
export function keptOf({ kept }: { kept: string | null }): Kept {
  return kept === null ? {} : (JSON.parse(kept) as Kept);
}

/** What is kept aside of the spec alone: what a snapshot has. */
export function keptOfSpec(kept: Kept): Kept {
  const entries = Object.entries(kept).flatMap(([version, { aside, left, shown, rules }]) => {
    const spec = (aside as { spec?: Json } | undefined)?.spec;
    if (spec === undefined && left?.spec === undefined) return [];
    const parts = {
      ...(spec !== undefined && { aside: { spec } }),
      ...(left?.spec && { left: { spec: left.spec } }),
    };
    return [[version, { ...parts, shown: { spec: shown.spec }, rules }] as const];
  });
  return Object.fromEntries(entries);
}

/** What is kept aside as it is stored. */
export function keptText(kept: Kept): string | null {
  return Object.keys(kept).length > 0 ? JSON.stringify(kept) : null;
}
