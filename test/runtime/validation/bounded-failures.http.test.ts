import { loadProject } from '../../../src/load/load-project';
import { failures, JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A response with failures stays short, however many there are and however long the rules.

const VALUES = Array.from({ length: 5_000 }, (_, index) => `value-number-${index}`).join(' ');

const YAML = `name: bounded
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Host
        versions:
          v1:
            spec:
              colour: { type: string, rules: [max=5] }
              colours: { type: list, items: { type: string, rules: ['oneof=${VALUES}'] } }
              ports: { type: list, items: integer }
          v1beta1:
            spec:
              colour: { type: string, rules: [max=5] }
              colours: { type: list, items: { type: string, rules: ['oneof=${VALUES}'] } }
              ports: { type: list, items: string }
            conversion: [cast: { hub: 'spec.ports[]', spoke: 'spec.ports[]' }]
`;

let running: TestService;

beforeAll(async () => {
  running = await startService(loadProject(__dirname, YAML).project);
});

afterAll(() => running.close());

const post = (version: string, spec: object) =>
  send(running.port, 'POST', `/apis/example.svc.dev/${version}/hosts`, {
    headers: JSON_TYPE,
    body: { spec },
  });

test('a rule with thousands of values is not repeated for each element', async () => {
  const response = await post('v1', { colours: Array(100).fill('red') });
  expect(response.status).toBe(400);
  expect(response.text.length).toBeLessThan(200_000);
  expect(failures(response)[0]).toMatch(/^#\/spec\/colours\/0 oneof=value-number-0 /);
});

test('a value of such a rule is accepted', async () => {
  expect((await post('v1', { colours: ['value-number-4999'] })).status).toBe(201);
});

test.each([{}, { colour: 'reddish' }])(
  '150,000 elements that cannot be converted, with %j',
  async (others) => {
    const response = await post('v1beta1', { ports: Array(150_000).fill('x'), ...others });
    expect([response.status, failures(response).length]).toEqual([400, 100]);
  },
);
