import { loadProject } from '../../../src/load/load-project';
import { Cluster } from './devices';

// The path of each field repeats the names of everything that it is in.

const YAML = `name: paths
events: true
kubernetes: true
groups:
  - kinds:
      - name: Shelf
        names: unique
        plural: shelves
        versions: { v1: { spec: { boxes: { type: map, values: { type: map, values: string } } } } }
`;

test.each([
  [10, 30_000, 201],
  [300_000, 30_000, 413],
])('a name of %i characters with %i fields in it: %i', async (length, count, status) => {
  const cluster = await Cluster.start({ project: loadProject(__dirname, YAML).project });
  const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
  const spec = { boxes: { ['x'.repeat(length)]: fields } };
  const { code } = await cluster.request('POST', '/shelves', { body: { metadata: { name: 'a' }, spec } });
  await cluster.close();
  expect(code).toBe(status);
});
