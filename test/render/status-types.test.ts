import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';

// The first status of a resource has only the defaults: what is required comes with the first write of the status.

function typesOf(status: string): string {
  const { project } = loadProject(
    __dirname,
    `name: shop
groups:
  - name: example.svc.dev
    versions: [v1]
    kinds: [{ name: Part, versions: { v1: { spec: { size: { type: string, rules: [required] } }, status: ${status} } } }]
`,
  );
  const path = 'src/generated/kinds/example.svc.dev/part/v1.ts';
  return render(plannedProject(project)).find((file) => file.path === path)!.text;
}

/** Returns the members of an interface. */
function membersOf(text: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export interface ${name} \\{\\n([^}]*)\\}`).exec(text) ?? [];
  return body.split('\n').flatMap((line) => /^ {2}(\w+\??: .*);$/.exec(line)?.[1] ?? []);
}

test('a response may lack a required field of the status, a write may not', () => {
  const text = typesOf(
    '{ phase: { type: string, rules: [required] }, ready: { type: boolean, default: false } }',
  );
  expect(membersOf(text, 'PartSpec')).toEqual(['size: string']);
  expect(membersOf(text, 'PartStatus')).toEqual(['phase?: string', 'ready: boolean']);
  expect(membersOf(text, 'PartStatusInput')).toEqual(['phase: string', 'ready?: boolean']);
  expect(text).toContain('runtime.ResourceInput<PartSpec, PartStatusInput>');
});

test('without defaults too', () => {
  const text = typesOf('{ phase: { type: string, rules: [required] } }');
  expect(membersOf(text, 'PartStatus')).toEqual(['phase?: string']);
  expect(membersOf(text, 'PartStatusInput')).toEqual(['phase: string']);
  expect(text).toContain('runtime.ResourceInput<PartSpec, PartStatusInput>');
});

test('a default makes a required field one of every status', () => {
  const text = typesOf('{ phase: { type: string, rules: [required], default: new } }');
  expect(membersOf(text, 'PartStatus')).toEqual(['phase: string']);
  expect(membersOf(text, 'PartStatusInput')).toEqual(['phase?: string']);
});
