import { ConversionFailure, type Body, type SpokeConverter, type Stored } from './conversion/converter';
import { fillDefaults } from './fields';
import { converterOf, keep, type Kept } from './kept';
import type { KindDefinition } from './kind';

/**
 * What an earlier hub stored, in the terms of the present one. Nothing is lost: what the present hub kept aside while it
 * was a spoke is in its object now, what only the earlier one has is kept aside, and what other spokes
 * kept aside is still theirs. Throws an Error where a stored value has no counterpart in the present hub.
 */
export function movedState(
  kind: KindDefinition,
  from: string,
  body: Body,
  before: Kept,
): { hub: Body; kept: Kept } {
  const { storageVersion, versions } = kind;
  const earlier = converterOf(kind, from);
  const known = before[storageVersion]?.shown;
  let put = putThrough(kind, from, earlier, body, undefined);
  // The earlier hub's object is written into what the present hub showed last: what the two do not share stays.
  if (known !== undefined)
    put = putThrough(kind, from, earlier, body, { hub: { ...put.hub, ...known }, kept: undefined });
  const hub = JSON.parse(JSON.stringify(put.hub)) as Body;
  const { spec, status, types } = versions[storageVersion];
  fillDefaults(spec, types, hub.spec);
  fillDefaults(status, types, hub.status);
  const kept: Kept = {};
  for (const [version, entry] of Object.entries(before)) {
    if (version === storageVersion || version === from) continue;
    const converter = versions[version]?.converter;
    if (converter === undefined) {
      kept[version] = entry;
      continue;
    }
    const shown = { ...converter.fromHub(hub, undefined), ...entry.shown };
    const { kept: aside } = putThrough(kind, version, converter, shown, { hub, kept: undefined });
    keep(kept, version, converter, hub, aside);
  }
  keep(kept, from, earlier, hub, put.kept);
  return { hub, kept };
}

function putThrough(
  { kind, storageVersion }: KindDefinition,
  version: string,
  converter: SpokeConverter,
  body: Body,
  stored: Stored | undefined,
): Stored {
  try {
    return converter.toHub(body, stored);
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error;
    const [{ pointer, detail }] = error.failures;
    throw new Error(
      `a stored ${kind} of ${version} cannot be converted to ${storageVersion}: ${pointer} ${detail}`,
    );
  }
}
