import type { Body } from './conversion/converter';
import { tellUnconverted } from './conversion/unconverted';
import { withExactValues } from './exact-values';
import { fillDefaults } from './fields';
import { converterOf, keep, stillLeft, type Kept } from './kept';
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
  const failures: Failure[] = [];
  const made = earlier.toHub(body, undefined, failures).hub;
  // The earlier hub's object is written into what others showed last: what it does not share with them stays.
  const known = shownBefore(kind, from, made, before);
  const put = earlier.toHub(body, known && { hub: known, kept: undefined }, []);
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
    const left = stillLeft(kind, version, converter.fromHub(hub, aside), entry?.shown);
    keep(kept, version, kind, hub, aside, left);
  }
  keep(kept, from, kind, hub, put.kept);
  return { hub, kept };
}

/**
 * The present hub's object as it was shown while it was a spoke. Where it never was, as far as the other spokes know
 * it: what they kept aside, and the earlier hub did not have, may be a field of it. Undefined where nothing is known.
 */
function shownBefore(kind: KindDefinition, from: string, made: Body, before: Kept): Body | undefined {
  const own = before[kind.storageVersion];
  if (own !== undefined) return { ...made, ...own.shown };
  let known: Body | undefined;
  for (const [version, { shown }] of Object.entries(before)) {
    const converter = kind.versions[version]?.converter;
    if (converter === undefined || version === from) continue;
    const hub: Body = known ?? made;
    const whole = { ...converter.fromHub(hub, undefined), ...shown };
    known = converter.toHub(whole, { hub, kept: undefined }, []).hub;
  }
  return known;
}
