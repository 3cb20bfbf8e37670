import request from 'supertest';
import { createApp } from '../src/app';
import { openService, readSettings, service as definition, type Service } from '../src/generated';

// Your own tests, of middleware or policies for example: the real application on the database that TEST_DATABASE_URL names,
// or else on one in memory. svcgen wrote this file once; it is yours.

let service: Service;

beforeAll(async () => {
  const settings = readSettings({
    DATABASE_URL: process.env['TEST_DATABASE_URL'] ?? 'sqlite::memory:',
    LOG_LEVEL: 'silent',
  });
  service = await openService(definition, settings);
});

afterAll(() => service.close());

test('the service is alive', async () => {
  await request(createApp(service)).get('/healthz').expect(200);
});
