import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import { Cluster, device } from '../runtime/kubernetes/devices';
import { MERGE } from '../runtime/support/client';
import { describeKubectl, kubectl } from './kubectl-program';

// kubectl, as far as the machine has it, works against a service: each command with the output that a kube-apiserver
// would give. KUBECTL names other programs to test, separated by commas.

const FILES = {
  'one.yaml': device('one', { location: 'eu', model: 'x', price: 3, ports: [{ name: 'http', number: 80 }] }),
  'two.yaml': device('two', { location: 'us', model: 'y' }, { labels: { env: 'test' } }),
  'one-v2beta1.yaml': {
    ...device('one', {
      site: 'eu',
      model: 'x',
      price: 3,
      ports: [{ name: 'http', number: 80 }],
      nickname: 'uno',
    }),
    apiVersion: 'example.svc.dev/v2beta1',
  },
  'stale.yaml': device('two', { location: 'asia' }, { resourceVersion: '1' }),
  'invalid.yaml': device('invalid', { tier: 'bronze' }),
  'unknown.yaml': device('one', { location: 'eu', colour: 'red' }),
  'held.yaml': device('held', undefined, { finalizers: ['example.dev/cleanup'] }),
  'applied.yaml': device('applied', { location: 'eu', ports: [{ name: 'http', number: 80 }] }),
  'shared.yaml': device('applied', { location: 'us', ports: [{ name: 'https', number: 443 }] }),
  'list.yaml': {
    apiVersion: 'v1',
    kind: 'List',
    items: ['first', 'second'].map((name) => device(name, { location: 'asia' })),
  },
  'generated.yaml': device(undefined, { location: 'eu' }, { generateName: 'gen-' }),
};

/** Commands in order, each with its output: `<…>` stands for any text. */
const COMMANDS: readonly [command: string, output: string][] = [
  ['api-versions', 'example.svc.dev/v1\nexample.svc.dev/v2beta1<…>'],
  ['api-resources --no-headers -o name', 'devices.example.svc.dev\nrooms.example.svc.dev'],
  ['get devices', 'No resources found'],
  ['create --save-config -f one.yaml', 'device.example.svc.dev/one created'],
  [
    'create -f one.yaml',
    'Error from server (AlreadyExists): error when creating "one.yaml": devices.example.svc.dev "one" already exists',
  ],
  ['apply -f two.yaml', 'device.example.svc.dev/two created'],
  ['apply -f two.yaml', 'device.example.svc.dev/two unchanged'],
  ['get devices', 'NAME LOCATION SEEN AGE\none eu <…>\ntwo us <…>'],
  ['get devices -o wide', 'NAME LOCATION MODEL SEEN AGE\none eu x <…>\ntwo us y <…>'],
  ['get device one -o jsonpath={.spec.location}', 'eu'],
  ['get devices -o name', 'device.example.svc.dev/one\ndevice.example.svc.dev/two'],
  ['get devices --chunk-size=1 -o name', 'device.example.svc.dev/one\ndevice.example.svc.dev/two'],
  ['get devices --sort-by=.spec.model --no-headers', 'one eu <…>\ntwo us <…>'],
  ['get devices -l env=test -o name', 'device.example.svc.dev/two'],
  ['get devices -l env!=test -o name', 'device.example.svc.dev/one'],
  ['get devices --field-selector=metadata.name=two -o name', 'device.example.svc.dev/two'],
  ['get devices --field-selector=spec.location=eu -o name', 'device.example.svc.dev/one'],
  ['get device nope', 'Error from server (NotFound): devices.example.svc.dev "nope" not found'],
  ['get devices.v2beta1.example.svc.dev one -o jsonpath={.spec.site}', 'eu'],
  ['get all -o name', 'device.example.svc.dev/one\ndevice.example.svc.dev/two'],
  ['label device one env=prod', 'device.example.svc.dev/one labeled'],
  ['get device one -o jsonpath={.metadata.labels.env}{.metadata.generation}', 'prod1'],
  ['label device one env-', 'device.example.svc.dev/one <…>'],
  ['annotate device one note=hello', 'device.example.svc.dev/one annotate<…>'],
  ['patch device one --type=merge -p {"spec":{"location":"us"}}', 'device.example.svc.dev/one patched'],
  [
    'patch device one --type=merge -p {"spec":{"location":"us"}}',
    'device.example.svc.dev/one patched (no change)',
  ],
  [
    'patch device one --type=json -p [{"op":"replace","path":"/spec/model","value":"z"}]',
    'device.example.svc.dev/one patched',
  ],
  [
    'patch device one --type=json -p [{"op":"test","path":"/spec/model","value":"a"}]',
    'The request is invalid<…>',
  ],
  ['get device one -o jsonpath={.metadata.generation}', '3'],
  ['apply -f one-v2beta1.yaml', 'device.example.svc.dev/one configured'],
  ['get devices.v2beta1.example.svc.dev one -o jsonpath={.spec.nickname}{.spec.site}', 'unoeu'],
  ['get devices.v1.example.svc.dev one -o jsonpath={.spec.ports[0].number}{.spec.model}', '80x'],
  ['replace -f two.yaml', 'device.example.svc.dev/two replaced'],
  [
    'replace -f stale.yaml',
    'Error from server (Conflict): error when replacing "stale.yaml": Operation cannot be fulfilled on devices.example.svc.dev "two": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'create -f invalid.yaml',
    'The Device "invalid" is invalid: \n* spec.location: Required value\n* spec.tier: Unsupported value: "bronze": supported values: "gold", "silver"',
  ],
  ['create -f generated.yaml -o name', 'device.example.svc.dev/gen-<…>'],
  ['delete device two', 'device.example.svc.dev "two" deleted'],
  ['delete device two', 'Error from server (NotFound): devices.example.svc.dev "two" not found'],
  ['describe device one', 'Name: one\n<…>'],
  ['create -f held.yaml', 'device.example.svc.dev/held created'],
  ['delete device held --wait=false', 'device.example.svc.dev "held" deleted'],
  ['get device held -o jsonpath={.metadata.finalizers}', '["example.dev/cleanup"]'],
  ['get device held -o jsonpath={.metadata.deletionGracePeriodSeconds}', '0'],
  [
    'patch device held --type=merge -p {"metadata":{"finalizers":["other"]}}',
    'The Device "held" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added <…>',
  ],
  [
    'patch device held --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]',
    'device.example.svc.dev/held patched',
  ],
  ['get device held', 'Error from server (NotFound): devices.example.svc.dev "held" not found'],
  ['apply --server-side -f applied.yaml', 'device.example.svc.dev/applied serverside-applied'],
  ['apply --server-side -f applied.yaml', 'device.example.svc.dev/applied serverside-applied'],
  [
    'apply --server-side --field-manager=team -f shared.yaml',
    'error: Apply failed with 1 conflict: conflict with "kubectl": .spec.location\nPlease review <…>',
  ],
  [
    'apply --server-side --field-manager=team --force-conflicts -f shared.yaml',
    'device.example.svc.dev/applied serverside-applied',
  ],
  [
    'get device applied -o jsonpath={.spec.location}{.spec.ports[*].name}{.metadata.managedFields[*].manager}',
    'ushttp httpskubectl team',
  ],
  [
    'patch device applied --field-manager=hand --type=merge -p {"spec":{"location":"asia","model":"x"}}',
    'device.example.svc.dev/applied patched',
  ],
  [
    'apply --server-side --field-manager=team -f shared.yaml',
    'error: Apply failed with 1 conflict: conflict with "hand" using example.svc.dev/v1<…>: .spec.location\n<…>',
  ],
  ['delete device applied', 'device.example.svc.dev "applied" deleted'],
  [
    'create --save-config -f list.yaml',
    'device.example.svc.dev/first created\ndevice.example.svc.dev/second created',
  ],
  ['diff -f list.yaml', ''],
  ['apply -f list.yaml', 'device.example.svc.dev/first unchanged\ndevice.example.svc.dev/second unchanged'],
  ['replace -f list.yaml', 'device.example.svc.dev/first replaced\ndevice.example.svc.dev/second replaced'],
  ['get -f list.yaml -o name', 'device.example.svc.dev/first\ndevice.example.svc.dev/second'],
  ['delete -f list.yaml', 'device.example.svc.dev "first" deleted\ndevice.example.svc.dev "second" deleted'],
];

/** Commands that kubectl has learned since 1.20, with the minor version from which they work. */
const NEWER: readonly [minor: number, command: string, output: string][] = [
  [27, 'apply --dry-run=server -f two.yaml', 'device.example.svc.dev/two created (server dry run)'],
  [27, 'get device two -o name', 'Error from server (NotFound): devices.example.svc.dev "two" not found'],
  [27, 'apply -f unknown.yaml', '<…>strict decoding error: unknown field "spec.colour"'],
  [
    27,
    'explain device.spec.location',
    'GROUP: example.svc.dev\nKIND: Device\nVERSION: v1\n\nFIELD: location <string>\n\nDESCRIPTION:\n The site.',
  ],
  [
    27,
    'patch device one --subresource=status --type=merge -p {"status":{"phase":"Ready"}}',
    'device.example.svc.dev/one patched',
  ],
  [27, 'get device one --subresource=status -o jsonpath={.status.phase}', 'Ready'],
  [
    27,
    'wait --for=jsonpath={.status.phase}=Ready device/one --timeout=60s',
    'device.example.svc.dev/one condition met',
  ],
];

describeKubectl(({ minor, path }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-kubectl-'));
  let cluster: Cluster;
  let program: string;

  beforeAll(async () => {
    program = await path();
    cluster = await Cluster.start();
    const environment = { PORT: String(cluster.port) };
    writeFileSync(join(folder, 'config'), kubeconfig('device-service', [], environment));
    for (const [name, object] of Object.entries(FILES))
      writeFileSync(join(folder, name), JSON.stringify(object));
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true });
  });

  const run = (command: string): Promise<string> => kubectl({ program, folder }, command.split(' '));

  test.each(COMMANDS)('%s', async (command, output) => {
    expect(lines(await run(command))).toMatch(pattern(output));
  });

  test('delete --wait returns when the last finalizer is removed', async () => {
    await run('create -f held.yaml');
    const deletion = run('delete device held --timeout=10m');
    const path = '/k8s/apis/example.svc.dev/v1/devices/held';
    while ((await cluster.get(path)).body.metadata.deletionTimestamp === undefined) await setTimeout(50);
    const body = { metadata: { finalizers: null } };
    expect((await cluster.request('PATCH', path, { body, headers: MERGE })).code).toBe(200);
    expect(lines(await deletion)).toBe('device.example.svc.dev "held" deleted');
  });

  const newer = NEWER.filter(([since]) => minor >= since);
  if (newer.length > 0)
    test.each(newer)('from 1.%i: %s', async (_since, command, output) => {
      expect(lines(await run(command))).toMatch(pattern(output));
    });
});

/** Returns an output with single spaces. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

function pattern(output: string): RegExp {
  const parts = lines(output).split('<…>');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*')}$`);
}
