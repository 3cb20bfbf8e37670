import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { kindTestFile } from '../../src/render/kinds/kind-test-file';

/** The rules that the test of a Part with these fields breaks, as `pointer rule`. */
function brokenRules(spec: string): string[] {
  const { project } = loadProject(
    '.',
    `name: parts
groups:
  - kinds:
      - name: Part
        versions: { v1: { spec: ${spec} } }
`,
  );
  const text = kindTestFile(plannedProject(project).kinds[0]);
  return [...text.matchAll(/\['(\/[^']*)', .*, '(max=[^']*)'\]/g)].map(
    ([, pointer, rule]) => `${pointer} ${rule}`,
  );
}

test('only values that are too long for an index are left out', () => {
  const selectable = (type: string, rule: string): string =>
    `{ type: ${type}, rules: [${rule}], selectable: true }`;
  const spec = `{
    name: ${selectable('string', 'max=500')},
    nameSuffix: { type: string, rules: [max=500] },
    code: ${selectable('string', 'max=499')},
    count: ${selectable('integer', 'max=1000')},
  }`;
  expect(brokenRules(spec.replace(/\n\s*/g, ' '))).toEqual([
    '/nameSuffix max=500',
    '/code max=499',
    '/count max=1000',
  ]);
});
