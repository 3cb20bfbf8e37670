import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../support/page';

// The operators on the page of Kubernetes clients are those that the tests of tools run.

const root = join(__dirname, '../..');
const blocks = blocksOf(join(root, 'docs/kubernetes.md'));

test.each([
  ['device_operator.py', 'kubernetes-python/device_operator.py'],
  ['main.go', 'kubernetes-go/operator/main.go'],
])('%s', (name, tested) => {
  const shown = blocks.find(({ directive, argument }) => directive === 'file' && argument === name);
  expect(shown?.text).toBe(readFileSync(join(root, 'test/tools/foreign', tested), 'utf8'));
});
