import { loadProject } from '../../src/load/load-project';
import type { JsonObject } from '../../src/model/project';
import { documentOf } from './document-of';

// Whoever tries an example of /docs must not need resources that are not there.

const { project } = loadProject(
  '.',
  `name: parts
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Part
        versions:
          v1:
            spec:
              maker: { type: string, rules: [required], ref: Supplier }
              supplier: { type: string, ref: Supplier }
              spares: { type: list, items: { type: string, ref: Part } }
          v1beta1:
            spec: { vendor: string, spares: { type: list, items: string } }
            conversion:
              - rename: { hub: spec.supplier, spoke: spec.vendor }
              - default: { hub: spec.maker, value: some }
      - name: Supplier
        names: unique
        versions: { v1: { spec: {} }, v1beta1: { spec: {} } }
`,
);
const { schemas } = documentOf(project)['components'] as { schemas: { [name: string]: JsonObject } };

test.each([
  ['PartV1', { maker: 'maker' }],
  ['PartV1Input', { maker: 'maker' }],
  ['PartV1beta1Input', {}],
])('the example of %s has the references that it needs', (name, spec) => {
  const [example] = schemas[name]['examples'] as JsonObject[];
  expect(example['spec']).toEqual(spec);
});

test.each([
  ['PartV1Input', '`spec.maker` (Supplier), `spec.supplier` (Supplier), `spec.spares` (Part)'],
  ['PartV1beta1Input', '`spec.vendor` (Supplier), `spec.spares` (Part)'],
  ['SupplierV1Input', undefined],
])('the description of %s names the references', (name, references) => {
  const text = references && `These fields name resources, which must exist: ${references}.`;
  expect(schemas[name]['description']).toBe(text);
});
