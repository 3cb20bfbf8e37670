import type { Field, FieldType, Group, Kind, KindVersion, Project, Rules } from '../../src/model/project';
import { ALL_PARTS } from '../load/all-parts';

/** Projects built by hand for the tests of the OpenAPI document and the pages. */

type Extras = Rules & { required?: boolean; default?: Field['default']; description?: string };

function field(
  name: string,
  type: FieldType | 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'any',
  extras: Extras = {},
): Field {
  const { required = false, default: value, description = '', ...rules } = extras;
  return {
    name,
    type: typeof type === 'string' ? { kind: type } : type,
    rules,
    required,
    default: value,
    description,
  };
}

const element = (
  type: FieldType,
  rules: Rules = {},
): { type: FieldType; rules: Rules; description: string } => ({
  type,
  rules,
  description: '',
});

const STATUS = [
  field('phase', 'string'),
  field('message', 'string'),
  field('ready', 'boolean', { default: false }),
];
const ITEM: Field[] = [
  field('price', 'number', { min: 0 }),
  field('inStock', 'boolean'),
  field('description', 'string', { max: 500 }),
];

/** The Device of the specification, its status with conditions. */
const DEVICE: KindVersion = {
  version: 'v1',
  spec: [
    field('name', 'string', { required: true }),
    field('location', 'string', { required: true, description: 'Where it stands.' }),
    field('model', 'string'),
    field('config', { kind: 'map', values: element({ kind: 'string' }) }),
  ],
  status: [
    field('phase', 'string', { oneof: ['Pending', 'Ready', 'Offline', 'Error'] }),
    field('health', 'string', { oneof: ['Healthy', 'Degraded', 'Unhealthy'] }),
    field('message', 'string'),
    field('lastSeen', 'timestamp'),
    field('conditions', { kind: 'list', items: element({ kind: 'ref', name: 'Condition' }), key: 'type' }),
    field('ready', 'boolean', { default: false }),
  ],
  conversion: [],
  declared: [],
};

/** Every type and rule, recursion, required status fields. */
const EVERYTHING: Field[] = [
  field('count', 'integer', { min: 3, max: 9, required: true }),
  field('ratio', 'number', { gt: 0, lt: 1 }),
  field('level', 'integer', { oneof: [1, 2, 3] }),
  field('code', 'string', { pattern: '^[A-Z]{3}$', required: true }),
  field('mail', 'string', { format: 'email' }),
  field('site', 'string', { format: 'url' }),
  field('address', 'string', { format: 'ip' }),
  field('at', 'timestamp'),
  field('extra', 'any'),
  field('tree', { kind: 'ref', name: 'Tree' }),
  field(
    'words',
    { kind: 'list', items: element({ kind: 'string' }, { min: 2, max: 4 }), key: undefined },
    { min: 2 },
  ),
  field('nested', {
    kind: 'object',
    fields: [field('deep', { kind: 'object', fields: [field('flag', 'boolean')] })],
  }),
];

const TYPES = [
  {
    name: 'Condition',
    publicName: 'Condition',
    fields: [
      field('type', 'string', { required: true }),
      field('status', 'string', { oneof: ['True', 'False', 'Unknown'] }),
      field('reason', 'string'),
      field('message', 'string'),
    ],
  },
  {
    name: 'Tree',
    publicName: 'Tree',
    fields: [
      field('label', 'string', { required: true }),
      field('children', { kind: 'list', items: element({ kind: 'ref', name: 'Tree' }), key: undefined }),
    ],
  },
  { name: 'Unused', publicName: 'Unused', fields: [field('x', 'string')] },
];

function kind(name: string, plural: string, versions: KindVersion[], history?: Kind['history']): Kind {
  const group = 'example.svc.dev';
  return {
    name,
    group,
    plural,
    publicName: name,
    description: '',
    uidPrefix: name.slice(0, 3).toLowerCase(),
    ownedFields: false,
    uniqueNames: false,
    isReferable: false,
    history,
    columns: [],
    versions,
  };
}

/** The first field has another name, as after a rename. */
const DEVICE_V2: KindVersion = {
  ...DEVICE,
  version: 'v2beta1',
  spec: [field('title', 'string', { required: true }), ...DEVICE.spec.slice(1, 3)],
};

const GROUP: Group = {
  name: 'example.svc.dev',
  storageVersion: 'v1',
  versions: ['v1', 'v2beta1'],
  deprecations: {},
  types: TYPES,
  kinds: [
    kind('Device', 'devices', [DEVICE, DEVICE_V2], {}),
    kind('Product', 'products', [
      {
        version: 'v1',
        spec: [field('name', 'string', { required: true, min: 1, max: 100 }), ...ITEM],
        status: STATUS,
        conversion: [],
        declared: [],
      },
    ]),
    kind('DeviceVersion', 'device-versions', [
      {
        version: 'v1',
        spec: EVERYTHING,
        status: [field('phase', 'string', { required: true }), ...STATUS.slice(1)],
        conversion: [],
        declared: [],
      },
    ]),
  ],
};

const PROJECT: Project = {
  name: 'device-service',
  validation: 'strict',
  events: true,
  nats: false,
  console: false,
  kubernetes: false,
  databases: ['sqlite', 'postgres'],
  parts: ALL_PARTS,
  requireIfMatch: false,
  cacheControl: 'no-cache',
  security: [],
  info: {
    title: 'device-service',
    description: '',
    version: '1.0.0',
    contact: { name: 'device-service' },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  groups: [GROUP],
};

/** The project that most tests use: two versions, history, events, every type and rule. */
export const everything: Project = PROJECT;

/** Projects that differ from it in what shapes the document. */
export const projects: { [title: string]: Project } = {
  everything,
  'no kinds': {
    ...PROJECT,
    events: false,
    groups: [{ ...GROUP, kinds: [], versions: ['v1'], deprecations: {} }],
  },
  'rules not enforced, If-Match required': {
    ...PROJECT,
    validation: 'warn',
    requireIfMatch: true,
  },
  'two groups with a kind of the same name': {
    ...PROJECT,
    groups: [
      GROUP,
      {
        ...GROUP,
        name: 'example.svc.dev.v1',
        versions: ['v1'],
        types: TYPES.map((type) => ({ ...type, publicName: `ExampleSvcDevV1${type.name}` })),
        kinds: [
          {
            ...kind('Device', 'gadgets', [DEVICE]),
            publicName: 'ExampleSvcDevV1Device',
            group: 'example.svc.dev.v1',
          },
        ],
      },
    ],
  },
  'a deprecated version': {
    ...PROJECT,
    groups: [
      {
        ...GROUP,
        deprecations: { v2beta1: { since: '2026-01-31', sunset: '2027-01-31', note: 'See /docs.' } },
      },
    ],
  },
  'no spec fields, status alone': {
    ...PROJECT,
    groups: [
      {
        ...GROUP,
        kinds: [
          kind('Service', 'services', [
            { version: 'v1', spec: [], status: [], conversion: [], declared: [] },
          ]),
        ],
      },
    ],
  },
};
