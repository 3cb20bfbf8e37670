import { send } from './client';
import { startService } from './harness';
import { testProject } from './projects';

// Routes and middleware of a user in front of those of the service.

test('they see the query of a request, as in every Express app', async () => {
  const seen: unknown[] = [];
  const service = await startService(testProject(), {
    middleware: (app) =>
      app
        .use((req, _res, next) => {
          seen.push({ ...req.query });
          next();
        })
        .get('/reports', (req, res) => void res.json(req.query)),
  });
  const report = await send(service.port, 'GET', '/reports?from=2026-01-01&kind=a&kind=b');
  expect([report.status, JSON.parse(report.text)]).toEqual([200, { from: '2026-01-01', kind: ['a', 'b'] }]);
  expect((await send(service.port, 'GET', '/devices?limit=1')).text).toBe('[]');
  expect(seen).toEqual([{ from: '2026-01-01', kind: ['a', 'b'] }, { limit: '1' }]);
  await service.close();
});
