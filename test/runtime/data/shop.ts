import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';
import type { KindData } from '../../../templates/runtime/model/kinds/kind-data';
import type { TestOptions } from '../support/harness';

/**
 * Parts have unique names, a sku, a price, and refer to suppliers and other parts in each of the ways. v1beta1 names some of
 * their fields differently, and counts prices in hundredths.
 */
export const YAML = `
name: shop
events: true
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Supplier
        versions:
          v1: { spec: { title: string, region: string } }
          v1beta1: { spec: { title: string, region: string } }
      - name: Part
        specVersioning: true
        versions:
          v1:
            spec:
              sku: { type: string, rules: [required] }
              serial: string
              price: { type: number, rules: [min=0] }
              supplier: string
              parent: string
              spare: string
              related: { type: list, items: string }
              tags: { type: list, items: string }
              fit: { type: object, fields: { arm: { type: object, fields: { part: string } } } }
            status: { phase: string }
          v1beta1:
            spec:
              code: { type: string, rules: [required] }
              serial: string
              cents: integer
              supplier: string
              parent: string
              spare: string
              others: { type: list, items: string }
              tags: { type: list, items: string }
              fit: { type: object, fields: { arm: { type: object, fields: { part: string } } } }
            status: { phase: string }
            conversion:
              - rename: { hub: spec.sku, spoke: spec.code }
              - rename: { hub: spec.related, spoke: spec.others }
              - scale: { hub: spec.price, spoke: spec.cents, factor: 0.01 }
`;

const SHARED: NonNullable<KindData['selectable']>[string] = [
  { path: ['spec', 'supplier'], type: 'string', index: 'spec.supplier' },
  { path: ['spec', 'parent'], type: 'string', index: 'spec.parent' },
  { path: ['spec', 'spare'], type: 'string', index: 'spec.spare' },
  { path: ['spec', 'tags'], type: 'string', isList: true, index: 'spec.tags' },
  { path: ['spec', 'fit', 'arm', 'part'], type: 'string', index: 'spec.fit.arm.part' },
  { path: ['status', 'phase'], type: 'string', index: 'status.phase' },
];

/** Fields in the indexes of another version than the storage version. */
const ofSpoke = (fields: typeof SHARED): typeof SHARED =>
  fields.map((field) => ({ ...field, index: `v1beta1:${field.index}`, reference: field.index }));

/** The declarations of the two kinds. */
export const DATA: { Supplier: KindData; Part: KindData } = {
  Supplier: {
    uniqueNames: true,
    isReferable: true,
    selectable: {
      v1: [{ path: ['spec', 'region'], type: 'string', index: 'spec.region' }],
      v1beta1: [{ path: ['spec', 'region'], type: 'string', index: 'v1beta1:spec.region' }],
    },
  },
  Part: {
    uniqueNames: true,
    isReferable: true,
    selectable: {
      v1: [
        { path: ['spec', 'sku'], type: 'string', index: 'spec.sku' },
        { path: ['spec', 'price'], type: 'number', index: 'spec.price' },
        { path: ['spec', 'related'], type: 'string', isList: true, index: 'spec.related' },
        ...SHARED,
      ],
      v1beta1: [
        { path: ['spec', 'code'], type: 'string', index: 'v1beta1:spec.code' },
        { path: ['spec', 'cents'], type: 'number', index: 'v1beta1:spec.cents' },
        {
          path: ['spec', 'others'],
          type: 'string',
          isList: true,
          index: 'v1beta1:spec.others',
          reference: 'spec.related',
        },
        ...ofSpoke(SHARED),
      ],
    },
    unique: [['spec', 'sku']],
    immutable: [['spec', 'serial']],
    references: [
      { path: ['spec', 'supplier'], kind: 'Supplier', onDelete: 'restrict' },
      { path: ['spec', 'parent'], kind: 'Part', onDelete: 'cascade' },
      { path: ['spec', 'spare'], kind: 'Part', onDelete: 'clear' },
      { path: ['spec', 'related'], kind: 'Part', onDelete: 'clear', isList: true },
      { path: ['spec', 'fit', 'arm', 'part'], kind: 'Part', onDelete: 'clear' },
    ],
  },
};

/** The project of the shop, with other validation if wanted. */
export function shopProject(validation: Project['validation'] = 'strict'): Project {
  return { ...loadProject('.', YAML).project, validation };
}

/** What a service of the shop is started with. */
export const SHOP: TestOptions = { data: DATA };
