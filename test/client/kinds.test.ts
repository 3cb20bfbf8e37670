import { type CtlKind, findKind, findVersion } from '../../templates/ctl/definition';

// How a user may name a kind and a version on the command line.

const kind = (group: string, name: string, plural: string, versions = ['v1']): CtlKind => ({
  ...{ group, kind: name, plural },
  versions: Object.fromEntries(
    versions.map((version) => [
      version,
      { columns: [], schema: () => Promise.reject(new Error('no schema')) },
    ]),
  ),
  history: false,
});
const definition = {
  service: 'test',
  events: false,
  kinds: [
    kind('a.dev', 'Device', 'devices', ['v1', 'v2beta1']),
    kind('b.dev', 'Device', 'b-devices'),
    kind('b.dev', 'Box', 'boxes'),
    kind('b.dev', 'Carton', 'box'),
  ],
};

const names: [given: string, want: string][] = [
  ['devices', 'devices'],
  ['Devices', 'devices'],
  ['b-devices', 'b-devices'],
  ['device', '"device" may be one of devices, b-devices'],
  ['Device.b.dev', 'b-devices'],
  ['device.a.dev', 'devices'],
  ['box', 'box'],
  ['Box', 'boxes'],
  ['Box.b.dev', 'boxes'],
  ['gadgets', 'there is no kind "gadgets"; there are: devices, b-devices, boxes, box'],
];
test.each(names)('%s: %s', (given, want) => {
  expect(outcome(() => findKind(definition, given).plural)).toBe(want);
});

const versions: [given: string | undefined, want: string][] = [
  [undefined, 'v1'],
  ['v2beta1', 'v2beta1'],
  ['a.dev/v2beta1', 'v2beta1'],
  ['b.dev/v1', 'devices have no version "b.dev/v1"; there are: v1, v2beta1'],
  ['v2', 'devices have no version "v2"; there are: v1, v2beta1'],
];
test.each(versions)('version %s: %s', (given, want) => {
  expect(outcome(() => findVersion(definition.kinds[0], given))).toBe(want);
});

function outcome(find: () => string): string {
  try {
    return find();
  } catch (error) {
    return (error as Error).message;
  }
}
