import type { MountedKind } from '../runtime/mount';
import { absence } from './absence';
import { conditions, createConditions } from './conditions';
import { endpoints, endpointsWithout, unknownParameters } from './endpoints';
import { events } from './events';
import { history } from './history';
import { lists } from './lists';
import { ownership } from './ownership';
import { patches } from './patches';
import { FreshBodies, type Needs, Place, type Target } from './place';
import { refusals } from './refusals';
import { head, methods, requests } from './requests';
import { type Broken, brokenSpecs, brokenStatuses } from './rules';
import type { TestedService } from './tested';

/** Examples of a kind in one version: a valid spec and status, and values that break one rule. */
export interface Examples {
  /** Undefined where none was found. */
  spec: object | undefined;
  status: object | undefined;
  brokenSpecs: Broken[];
  brokenStatuses: Broken[];
}

/** The needs of a kind's new resources, and the kinds that they refer to. */
export interface Needed {
  needs: Needs;
  targets: { [kind: string]: Target };
}

/** Additional tests of a kind, and the resources that they need. */
export interface MoreTests {
  needed?: Needed;
  /** Those of names, fields and references, for a kind that declares any. */
  data?: (place: Place) => void;
}

/** Checks everything that a kind promises, on each of its URLs and in each of its versions. */
export function checkKind(
  service: TestedService,
  mounted: MountedKind,
  examples: { [version: string]: Examples },
  { needed, data }: MoreTests = {},
): void {
  const { kind } = mounted;
  const { group, plural, servedVersions, storageVersion } = kind;
  const { spec, status } = examples[storageVersion];
  const bodies = new FreshBodies(
    service,
    { mounted, spec: spec ?? {}, needs: needed?.needs },
    needed?.targets,
  );
  for (const version of servedVersions) {
    const url = version === storageVersion ? `/${plural}` : `/apis/${group}/${version}/${plural}`;
    const sample = spec && status && { spec, status, bodies };
    const place = new Place(service, kind, version, url, sample ?? { spec: {}, status: {}, bodies });

    describe(`${kind.kind} in ${group}/${version}`, () => {
      describe('what is not there', () => endpointsWithout(place));
      describe('methods', () => methods(place));
      describe('requests', () => requests(place));
      if (place.isHub) describe('refusals', () => refusals(place));
      if (sample !== undefined) describeResources(place);
      if (sample !== undefined && data !== undefined)
        describe('names, fields and references', () => data(place));
      rules(place, examples[version], sample !== undefined);
    });
  }
  if (spec === undefined || status === undefined) return;
  test(`${kind.kind}: Accept asks for a version as the URL does`, () =>
    negotiation(new Place(service, kind, storageVersion, `/${plural}`, { spec, status, bodies })));
}

function describeResources(place: Place): void {
  describe('endpoints', () => endpoints(place));
  describe('unknown parameters', () => unknownParameters(place));
  describe('HEAD', () => head(place));
  describe('patches of the resource', () => patches(place, 'spec'));
  describe('patches of the status', () => patches(place, 'status'));
  describe('conditions', () => conditions(place));
  if (place.isHub) describe('conditions of a create', () => createConditions(place));
  if (place.isHub && place.service.description.hasEvents) describe('events', () => events(place));
  describe('history', () => history(place));
  describe('lists', () => lists(place));
  describe('ownership', () => ownership(place));
  describe('what is left out', () => absence(place));
}

function rules(place: Place, { spec, status, ...broken }: Examples, hasResources: boolean): void {
  describe('rules', () => {
    brokenSpecs(place.service, place.url, spec ?? {}, broken.brokenSpecs);
    // A status needs a resource, and only the storage version's example makes one.
    if (!place.isHub || !hasResources) return;
    brokenStatuses(place.service, async () => (await place.fresh()).url, status!, broken.brokenStatuses);
  });
}

/** Checks that each version, by URL and by Accept, shows the same. */
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
