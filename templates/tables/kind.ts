import type { MountedKind } from '../runtime/mount';
import { absence } from './absence';
import { conditions, createConditions } from './conditions';
import { endpoints, endpointsWithout, unknownParameters } from './endpoints';
import { history } from './history';
import { lists } from './lists';
import { head, methods } from './methods';
import { ownership } from './ownership';
import { patches } from './patches';
import { Place } from './place';
import { brokenSpecs, brokenStatuses, type Broken } from './rules';
import type { TestedService } from './tested';

/** A kind in one version: a spec and a status that keep every rule, and values that break one. */
export interface Examples {
  /** Undefined where none was found. */
  spec: object | undefined;
  status: object | undefined;
  brokenSpecs: Broken[];
  brokenStatuses: Broken[];
}

/** All that a kind promises, on each of its URLs and in each of its versions. */
export function checkKind(
  service: TestedService,
  { kind }: MountedKind,
  examples: { [version: string]: Examples },
): void {
  const { group, plural, servedVersions, storageVersion } = kind;
  const { spec, status } = examples[storageVersion]!;
  for (const version of servedVersions) {
    const url = version === storageVersion ? `/${plural}` : `/apis/${group}/${version}/${plural}`;
    const sample = spec && status && { spec, status };
    const place = new Place(service, kind, version, url, sample ?? { spec: {}, status: {} });

    describe(`${kind.kind} in ${group}/${version}`, () => {
      describe('what is not there', () => endpointsWithout(place));
      describe('methods', () => methods(place));
      if (sample !== undefined) describeResources(place);
      rules(place, examples[version]!, sample !== undefined);
    });
  }
  if (spec === undefined || status === undefined) return;
  test(`${kind.kind}: Accept asks for a version as the URL does`, () =>
    negotiation(new Place(service, kind, storageVersion, `/${plural}`, { spec, status })));
}

function describeResources(place: Place): void {
  describe('endpoints', () => endpoints(place));
  describe('unknown parameters', () => unknownParameters(place));
  describe('HEAD', () => head(place));
  describe('patches of the resource', () => patches(place, 'spec'));
  describe('patches of the status', () => patches(place, 'status'));
  describe('conditions', () => conditions(place));
  if (place.isHub) describe('conditions of a create', () => createConditions(place));
  describe('history', () => history(place));
  describe('lists', () => lists(place));
  describe('ownership', () => ownership(place));
  describe('what is left out', () => absence(place));
}

function rules(place: Place, { spec, status, ...broken }: Examples, hasResources: boolean): void {
  describe('rules', () => {
    brokenSpecs(place.service, place.url, spec ?? {}, broken.brokenSpecs);
    // A status is written to a resource, and only the storage version's example makes one.
    if (!place.isHub || !hasResources) return;
    brokenStatuses(place.service, async () => (await place.fresh()).url, status!, broken.brokenStatuses);
  });
}

/** Each version, by URL and by Accept, shows the same. */
async function negotiation(place: Place): Promise<void> {
  const { service, kind } = place;
  const { url, shown } = await place.fresh();
  for (const version of kind.servedVersions) {
    const versioned = `/apis/${kind.group}/${version}/${kind.plural}`;
    const Accept = `application/json;version=${version}`;
    for (const [short, long] of [
      [url, `${versioned}/${shown.metadata.uid}`],
      [place.url, versioned],
    ] as const) {
      const [one, other] = [
        await service.send('GET', short, { headers: { Accept } }),
        await service.send('GET', long),
      ];
      expect([one.status, one.text]).toEqual([200, other.text]);
    }
  }
}
