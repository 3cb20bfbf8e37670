import { loadProject } from '../../../src/load/load-project';
import { create, send } from '../support/client';
import { startService } from '../support/harness';

test('a fraction that another mode than strict stores in an integer field counts as absent', async () => {
  const { project } = loadProject(
    __dirname,
    `
name: boxes
validation: warn
groups:
  - name: a.dev
    versions: [v1]
    kinds:
      - name: Box
        versions: { v1: { spec: { ms: { type: integer, selectable: true } } } }
`,
  );
  const service = await startService(project);
  try {
    for (const ms of [1.5, 2, 3]) await create(service.port, '/boxes', { ms });
    const selected = async (selector: string): Promise<unknown[]> => {
      const { text } = await send(
        service.port,
        'GET',
        `/boxes?fieldSelector=${encodeURIComponent(selector)}`,
      );
      return (JSON.parse(text) as { spec: { ms: number } }[]).map(({ spec }) => spec.ms);
    };
    expect(await selected('spec.ms')).toEqual([2, 3]);
    expect(await selected('!spec.ms')).toEqual([1.5]);
    expect(await selected('spec.ms=1.5')).toEqual([]);
    expect(await selected('spec.ms>2.5')).toEqual([3]);
    const refused = await send(service.port, 'GET', '/boxes?fieldSelector=spec.ms%3Dtwo');
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('spec.ms is an integer, not'),
    ]);
  } finally {
    await service.close();
  }
});
