import type { Body } from './conversion/converter';
import { tellUnconverted } from './conversion/unconverted';
import { withExactValues } from './exact-values';
import { fillDefaults } from './fields';
import { converterOf, keep, type Kept } from './kept';
import type { KindDefinition } from './kind';
import type { Failure } from './problem';

/**
 * What an earlier hub stored, in the terms of the present one. Nothing is lost: what the present hub kept aside while it
 * was a spoke is in its object now, what only the earlier one has is kept aside, and what other spokes
 * kept aside is still theirs; so are exact values that they shared with the earlier one. What has no counterpart in the present hub is absent there, kept aside and told of.
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
  const failures: Failure[] = [];
  let put = earlier.toHub(body, undefined, failures);
  // The earlier hub's object is written into what the present hub showed last: what the two do not share stays.
  if (known !== undefined) put = earlier.toHub(body, { hub: { ...put.hub, ...known }, kept: undefined }, []);
  for (const { pointer, rule } of failures) tellUnconverted({ pointer, rule });
  const hub = JSON.parse(JSON.stringify(put.hub)) as Body;
  const { spec, status, types } = versions[storageVersion];
  fillDefaults(spec, types, hub.spec);
  fillDefaults(status, types, hub.status);
  const kept: Kept = {};
  for (const version of new Set([...Object.keys(before), ...Object.keys(versions)])) {
    if (version === storageVersion || version === from) continue;
    const converter = versions[version]?.converter;
    const entry = before[version];
    if (converter === undefined) {
      if (entry !== undefined) kept[version] = entry;
      continue;
    }
    const shown = { ...converter.fromHub(hub, undefined), ...entry?.shown };
    const exact = withExactValues(shown, hub, converter, { body, converter: earlier });
    const other = converter.toHub(exact, { hub, kept: undefined }, []);
    // What only the exact values brought counts where they mean what the hub has.
    const aside = entry === undefined ? converter.carry(other.hub, hub, other.kept) : other.kept;
    keep(kept, version, kind, hub, aside);
  }
  keep(kept, from, kind, hub, put.kept);
  return { hub, kept };
}
