import { StoreRefused } from '../store/store';
import type { StoredVersion, StoredVersions } from '../store/stored-versions';
import type { CoreDefinition } from './core-definition';

/**
 * Checks that the service can read all stored resources of its kinds. Stored kinds that the project no longer has are
 * left alone: nothing reads them. Throws StoreRefused with each version that a kind does not have.
 */
export async function refuseUnknownVersions(
  { groups }: CoreDefinition,
  versions: StoredVersions,
): Promise<void> {
  const known = new Map<string, string[]>(
    groups.flatMap(({ name, kinds }) =>
      Object.entries(kinds).map(([kind, versions]) => [`${name}/${kind}`, versions] as const),
    ),
  );
  const isUnknown = ({ kind, version }: StoredVersion): boolean =>
    known.get(kind)?.includes(version) === false;
  // Finding out whether a version is still in use may read everything.
  if (!(await versions.recorded()).some(isUnknown)) return;
  const unknown = (await versions.all()).filter(isUnknown);
  if (unknown.length === 0) return;
  const found: string[] = [];
  for (const each of unknown) found.push(await described(versions, each));
  throw new StoreRefused(
    `the database has ${found.join('; ')}, which this service does not know. ` +
      'Declare the version again, with its kinds and rules, and run `npm run migrate-storage` before it is removed',
  );
}

async function described(versions: StoredVersions, stored: StoredVersion): Promise<string> {
  const { resources, snapshots } = await versions.count(stored);
  return `${stored.kind} in ${stored.version} (resources: ${resources}, snapshots: ${snapshots})`;
}
