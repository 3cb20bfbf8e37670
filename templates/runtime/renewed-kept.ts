import type { Part } from './admission';
import type { Body } from './conversion/converter';
import { object, own, set } from './conversion/values';
import { entryOf, stillLeft, type Kept, type KeptAside } from './kept';
import type { KindDefinition } from './kind';
import type { Schema } from './schema';

/**
 * What spokes keep aside of a resource, in the terms of the present rules: those of a version may have changed since
 * it was kept. What the version showed goes through them anew. What they have no place for is `left` as it was shown,
 * until the version writes or the hub has something there.
 */
export function renewedKept(kind: KindDefinition, hub: Body, kept: Kept): Kept {
  const renewed: Kept = {};
  for (const [version, entry] of Object.entries(kept)) {
    const converter = kind.versions[version]?.converter;
    const isPresent = converter === undefined || converter.rules === entry.rules;
    const now = isPresent ? entry : renew(kind, version, hub, entry);
    if (now !== undefined) renewed[version] = now;
  }
  return renewed;
}

function renew(kind: KindDefinition, version: string, hub: Body, entry: KeptAside): KeptAside | undefined {
  const { converter, ...schemas } = kind.versions[version]!;
  const natural = converter!.fromHub(hub, undefined);
  const old = keptFields(entry, schemas);
  const sent = { spec: { ...natural.spec, ...old.spec }, status: { ...natural.status, ...old.status } };
  const put = converter!.toHub(sent, { hub, kept: undefined }, []);
  // Where the new rules make another value of the hub than it has, the hub's is shown.
  const aside = converter!.carry(put.hub, hub, put.kept);
  const shown = converter!.fromHub(hub, aside);
  return entryOf(kind, version, hub, aside, stillLeft(kind, version, shown, old));
}

/** The fields of each part that something was kept aside for, as they were shown; those that the version still has. */
function keptFields({ aside, shown }: KeptAside, schemas: { [part in Part]: Schema }): Body {
  const fields: Body = { spec: {}, status: {} };
  for (const part of ['spec', 'status'] as const) {
    const { properties = {} } = schemas[part];
    const names = Object.entries(object(object(aside)[part])).flatMap(([key, value]) => {
      // `*` holds members that the version does not declare. Other keys are paths, several joined by `+`.
      if (key === '*') return Object.keys(object(value));
      const paths = key.split('+').map((path) => path.split(/[^\w-]/, 1)[0]!);
      return paths.filter((name) => Object.hasOwn(properties, name));
    });
    for (const name of names) set(fields[part], name, own(shown[part], name));
  }
  return fields;
}
