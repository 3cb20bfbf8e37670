import { convertingIn } from '../conversion/lenses/unconverted';
import { object } from '../model/fields/members';
import { own, set } from '../model/fields/values';
import type { KindDefinition } from '../model/kinds/kind';
import type { Part } from '../model/kinds/versioning';
import type { Schema } from '../model/schema';
import { type Body, PARTS } from '../model/versions/versioning-of';
import { exactly } from './exact-view';
import {
  convertedBy,
  entryOf,
  type PreservedEntry,
  type PreservedFields,
  stillOrphaned,
} from './preserved-fields';

/**
 * Returns the preserved fields of a resource in the terms of the present rules, which may have changed since. The view
 * of each version goes through its rules anew. Fields without a place in them are orphaned: preserved in `left` as they
 * were shown, until the version writes or the hub has something there.
 */
export function rePreserved(kind: KindDefinition, hub: Body, preserved: PreservedFields): PreservedFields {
  const renewed: PreservedFields = {};
  for (const [version, entry] of Object.entries(preserved)) {
    const converter = kind.versions[version]?.converter;
    const isPresent = converter === undefined || (converter.rules === entry.rules && !entry.isOutdated);
    const now = isPresent ? entry : convertingIn(version, () => renew(kind, version, hub, entry));
    if (now !== undefined) renewed[version] = now;
  }
  return renewed;
}

function renew(
  kind: KindDefinition,
  version: string,
  hub: Body,
  entry: PreservedEntry,
): PreservedEntry | undefined {
  const { converter, ...schemas } = kind.versions[version];
  const natural = converter!.fromHub(hub, undefined);
  const names = namesAside(entry, schemas);
  const old = { spec: {}, status: {} };
  const sent = { spec: { ...natural.spec }, status: { ...natural.status } };
  for (const part of PARTS)
    for (const name of names[part]) {
      set(old[part], name, own(entry.shown[part], name));
      // A field of several that was absent is absent again, whatever the hub would show of it.
      set(sent[part], name, own(entry.shown[part], name));
    }
  const put = converter!.toHub(sent, { hub, kept: undefined }, { found: [] });
  // Where the new rules make another value than the hub has, the hub's is shown.
  const aside = converter!.carry(put.hub, hub, put.kept);
  // Under the same rules, a field that the hub has lost is no orphan: another process removed it.
  const orphans = converter!.rules === entry.rules ? entry.left : old;
  const left = stillOrphaned(kind, version, converter!.fromHub(hub, aside), orphans);
  const view = entry.exact && exactly(convertedBy(kind, version, hub, { aside, left }), entry.exact);
  return entryOf(kind, version, hub, { aside, left, view });
}

/** Returns the names of the fields in which each part has preserved values, as far as the version still has them. */
function namesAside(
  { aside }: PreservedEntry,
  schemas: { [part in Part]: Schema },
): { [part in Part]: string[] } {
  const namesIn = (part: Part): string[] => {
    const { properties = {} } = schemas[part];
    return Object.entries(object(object(aside)[part])).flatMap(([key, value]) => {
      // `*` holds members that the version does not declare. Other keys are paths, several joined by `+`.
      if (key === '*') return Object.keys(object(value));
      const paths = key.split('+').map((path) => path.split(/[^\w-]/, 1)[0]);
      return paths.filter((name) => Object.hasOwn(properties, name));
    });
  };
  return { spec: namesIn('spec'), status: namesIn('status') };
}
