import { create, send } from '../support/client';
import { startProcess } from '../support/service-process';

test('a deletion that reaches more than fits into memory is refused, and the service survives', async () => {
  const environment = { NODE_OPTIONS: '--max-old-space-size=120', MEMORY_BUDGET_BYTES: '30000000' };
  const { port, child, ended } = await startProcess(environment, 'data/shop-child.ts');
  await create(port, '/parts', { sku: 'root' }, { name: 'root' });
  const annotations = { text: 'x'.repeat(1_000_000) };
  for (let n = 0; n < 150; n++)
    await create(port, '/parts', { sku: `leaf-${n}`, parent: 'root' }, { name: `leaf-${n}`, annotations });
  const { status, text } = await send(port, 'DELETE', '/parts/root');
  expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([
    413,
    'The request needs more memory than this service has.',
  ]);
  expect((await send(port, 'GET', '/parts/leaf-149')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
