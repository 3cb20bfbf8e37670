import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf } from '../openapi/document-of';
import { shop, writeDocument } from './documents';
import {
  describeWith,
  go,
  oapiCodegen,
  openapiGenerator,
  pythonPrograms,
  run,
  succeed,
  workFolder,
} from './foreign-tool';
import { type ShopService, startShop } from './shop-service';
import { Tool } from './tool';

// Public tools of several languages read the document of a service with three kinds, two versions and authentication:
// linters, and generators whose clients make a first call with a token.

const OK = { code: 0, text: expect.any(String) as string };
const document = writeDocument('shop', documentOf(shop()));
let service: ShopService;

beforeAll(async () => {
  service = await startShop('foreign');
});
afterAll(() => service.close());

test('without a token there is nothing', async () => {
  expect((await fetch(`${service.url}/devices`)).status).toBe(401);
});

test('spectral has no warning', async () => {
  const spectral = new Tool('spectral');
  await spectral.install();
  const args = ['lint', '--ruleset', 'ruleset.yaml', '--fail-severity', 'hint', document];
  expect(await spectral.run('spectral', ...args)).toEqual(OK);
});

test('a client made by orval makes a first call', async () => {
  const orval = new Tool('orval');
  await orval.install();
  process.env['DOCUMENT'] = document;
  process.env['SERVICE_URL'] = service.url;
  expect(await orval.run('orval', '--config', 'orval.config.cjs')).toEqual(OK);
  expect(await orval.run('tsc')).toEqual(OK);
  expect(await orval.node('dist/round-trip.js', service.token)).toEqual({ code: 0, text: '' });
});

describeWith('java', 'mvn')('openapi-generator', () => {
  const generate = async (
    generator: string,
    folder: string,
    output: string,
    ...options: string[]
  ): Promise<void> => {
    const program = await openapiGenerator();
    rmSync(join(folder, output), { recursive: true, force: true });
    await succeed(
      folder,
      'java',
      '-jar',
      program,
      'generate',
      '-i',
      document,
      '-g',
      generator,
      '-o',
      output,
      ...options,
    );
  };

  test('typescript-fetch', async () => {
    const folder = workFolder('typescript-fetch');
    await generate('typescript-fetch', folder, 'client');
    const tsc = join(__dirname, '../../node_modules/typescript/bin/tsc');
    await succeed(folder, process.execPath, tsc);
    expect(await run(folder, process.execPath, 'dist/round-trip.js', service.url, service.token)).toEqual({
      code: 0,
      text: '',
    });
  });

  describeWith('python3')('python', () => {
    test('makes a first call', async () => {
      const bin = await pythonPrograms();
      const folder = workFolder('python');
      await generate('python', folder, 'openapi-generator');
      process.env['PYTHONPATH'] = join(folder, 'openapi-generator');
      const call = await run(folder, join(bin, 'python'), 'openapi_generator.py', service.url, service.token);
      expect(call).toEqual({ code: 0, text: '' });
    });
  });

  describeWith('go')('go', () => {
    test('makes a first call', async () => {
      const folder = workFolder('go-openapi-generator');
      await generate('go', folder, 'shop', '--additional-properties=packageName=shop,withGoMod=false');
      await go(join(folder, 'shop'), 'mod', 'init', 'shop');
      await go(join(folder, 'shop'), 'get', 'gopkg.in/validator.v2@v2.0.1');
      await go(folder, 'build', '-mod=mod', '-o', 'bin/', '.');
      expect(await run(folder, 'bin/roundtrip', service.url, service.token)).toEqual({ code: 0, text: '' });
    });
  });
});

describeWith('go')('oapi-codegen', () => {
  test('makes a first call', async () => {
    const folder = workFolder('go-oapi-codegen');
    const args = ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', document];
    await succeed(folder, 'mkdir', '-p', 'api');
    await succeed(folder, await oapiCodegen(), ...args);
    await go(folder, 'build', '-o', 'bin/', '.');
    expect(await run(folder, 'bin/roundtrip', service.url, service.token)).toEqual({ code: 0, text: '' });
  });
});

describeWith('python3')('tools in Python', () => {
  test('a client made by openapi-python-client makes a first call', async () => {
    const bin = await pythonPrograms();
    const folder = workFolder('python');
    rmSync(join(folder, 'openapi-python-client'), { recursive: true, force: true });
    const output = ['--output-path', 'openapi-python-client'];
    await succeed(folder, join(bin, 'openapi-python-client'), 'generate', '--path', document, ...output);
    process.env['PYTHONPATH'] = join(folder, 'openapi-python-client');
    const call = await run(
      folder,
      join(bin, 'python'),
      'openapi_python_client.py',
      service.url,
      service.token,
    );
    expect(call).toEqual({ code: 0, text: '' });
  });
});
