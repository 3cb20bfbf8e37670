import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { consoleContent } from '../../src/render/service/console-files';

test('an example of the console refers only to what it must', () => {
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
              note: string
              supplier: { type: string, ref: Supplier }
              maker: { type: string, rules: [required], ref: Supplier }
              spares: { type: list, items: { type: string, ref: Part } }
              home: { type: object, fields: { owner: { type: string, ref: Supplier }, shelf: string } }
          v1beta1:
            spec: { note: string, vendor: string, maker: string }
            conversion:
              - rename: { hub: spec.supplier, spoke: spec.vendor }
              - default: { hub: spec.maker, value: some }
      - name: Supplier
        names: unique
        versions: { v1: { spec: {} }, v1beta1: { spec: {} } }
`,
  );
  const { examples } = consoleContent(plannedProject(project)).kinds['example.svc.dev/Part'];
  const specs = Object.entries(examples).map(([version, { spec }]) => [version, spec]);
  expect(specs).toEqual([
    ['v1', { note: 'note', maker: 'maker', home: { shelf: 'shelf' } }],
    ['v1beta1', { note: 'note' }],
  ]);
});
