import { join } from 'node:path';
import { describeWith, pythonPrograms, run, workFolder } from './foreign-tool';
import { type ShopService, startShop } from './shop-service';

// Schemathesis asks a service for everything that its document describes. FUZZ_EXAMPLES and FUZZ_SEED ask for more and for others.

let service: ShopService;

beforeAll(async () => {
  // Schemathesis reads a response to its end.
  service = await startShop('fuzz', { EVENTS_MAX_STREAM_MS: '50' });
});
afterAll(() => service.close());

describeWith('python3')('a service with three kinds, two versions and authentication', () => {
  test('Schemathesis finds nothing with all of its checks', async () => {
    const bin = await pythonPrograms();
    const folder = workFolder('schemathesis');
    const seed = process.env['FUZZ_SEED'];
    const options = [
      '--header',
      `Authorization: Bearer ${service.token}`,
      ...['--checks', 'all', '--exclude-checks', 'not_a_server_error'],
      ...['--max-examples', process.env['FUZZ_EXAMPLES'] ?? '5'],
      ...(seed === undefined ? ['--generation-deterministic'] : ['--seed', seed]),
      // The machine may be busy.
      ...['--suppress-health-check', 'too_slow'],
      '--continue-on-failure',
    ];
    const { code, text } = await run(
      folder,
      join(bin, 'st'),
      'run',
      `${service.url}/openapi.json`,
      ...options,
    );
    if (code !== 0) throw new Error(text);
  });
});
