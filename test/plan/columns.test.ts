import { loadProject } from '../../src/load/load-project';
import { columnsIn } from '../../src/plan/columns';
import { Conversions } from '../../src/plan/conversions';

// Columns of a kind in each of its versions.

const YAML = `
name: test
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    types:
      Place: { city: string, since: timestamp }
    kinds:
      - name: Device
        specVersioning: true
        columns:
          - { path: spec.name, title: Called, wide: true }
          - spec.location
          - spec.place.city
          - spec.place.since
          - spec.box.width
          - spec.seconds
          - spec.words
          - spec.hidden
          - status.phase
          - status.version
        versions:
          v1:
            spec:
              name: string
              location: string
              place: Place
              box: { type: object, fields: { width: number } }
              seconds: integer
              words: { type: list, items: string }
              hidden: string
            status: { phase: string }
          v1beta1:
            spec:
              name: string
              site: { type: object, fields: { name: string } }
              where: Place
              size: { type: object, fields: { breadth: number } }
              seconds: string
              words: string
            status: { phase: string }
            conversion:
              - rename: { hub: spec.location, spoke: spec.site.name }
              - rename: { hub: spec.place, spoke: spec.where }
              - rename: { hub: spec.box, spoke: spec.size }
              - rename: { hub: spec.box.width, spoke: spec.size.breadth }
              - cast: { hub: spec.seconds, spoke: spec.seconds }
              - join: { hub: spec.words, spoke: spec.words, separator: ',' }
      - name: Book
        versions:
          v1: { spec: { title: string }, status: { ready: boolean, phase: string, message: string } }
      - name: Note
        columns: []
        versions:
          v1: { spec: { title: string }, status: { ready: boolean } }
`;

const [group] = loadProject(__dirname, YAML).project.groups;
const columns = (k: number, v: number): string[] =>
  columnsIn(
    { group: group, kind: group.kinds[k], conversions: new Conversions(group, group.kinds[k]) },
    group.kinds[k].versions[v],
  ).map(({ path, title, type, wide }) => `${title}: ${path}, ${type}${wide ? ', wide' : ''}`);

test('the storage version has all of them', () => {
  expect(columns(0, 0)).toEqual([
    'Called: spec.name, string, wide',
    'location: spec.location, string',
    'city: spec.place.city, string',
    'since: spec.place.since, date',
    'width: spec.box.width, number',
    'seconds: spec.seconds, integer',
    'words: spec.words, string',
    'hidden: spec.hidden, string',
    'phase: status.phase, string',
    'version: status.version, string',
  ]);
});

test('another version has those that it shows, where it shows them', () => {
  expect(columns(0, 1)).toEqual([
    'Called: spec.name, string, wide',
    'location: spec.site.name, string',
    'city: spec.where.city, string',
    'since: spec.where.since, date',
    'width: spec.size.breadth, number',
    'seconds: spec.seconds, string',
    'words: spec.words, string',
    'phase: status.phase, string',
    'version: status.version, string',
  ]);
});

test('phase and ready are shown by default, nothing where the list is empty', () => {
  expect(columns(1, 0)).toEqual(['phase: status.phase, string', 'ready: status.ready, boolean']);
  expect(columns(2, 0)).toEqual([]);
});
