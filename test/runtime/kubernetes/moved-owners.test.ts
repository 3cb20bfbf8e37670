import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply, ownersOf, wanted } from './applying';
import { projectOf } from './device-project';
import { Cluster, devices } from './devices';

// Owners of fields follow them when another version becomes the storage version.

const LIST = 'type: list, items: { type: object, fields: { name: string, number: integer } }';

/** Devices of which one version renames a field and has one of its own. Ports may have a key. */
function projectIn(storageVersion: 'v1' | 'v2beta1', key = '') {
  const [hub, spoke] = storageVersion === 'v1' ? ['location', 'site'] : ['site', 'location'];
  const rules = `conversion: [{ rename: { hub: spec.${hub}, spoke: spec.${spoke} } }]`;
  const ports = `ports: { ${LIST}${key} }`;
  const v1 = `spec: { location: string, model: string, ${ports} }`;
  const v2beta1 = `spec: { site: string, model: string, nickname: string, ${ports} }`;
  const device = `
        versions:
          v1: { ${v1}${storageVersion === 'v2beta1' ? `, ${rules}` : ''} }
          v2beta1: { ${v2beta1}${storageVersion === 'v1' ? `, ${rules}` : ''} }
`;
  return projectOf(device, { storageVersion });
}

describe('owners of fields', () => {
  let folder: string;
  const open: Cluster[] = [];
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svcgen-owners-'))));
  afterEach(async () => {
    await Promise.all(open.splice(0).map((cluster) => cluster.close()));
    rmSync(folder, { recursive: true });
  });

  /** Starts a service of a project on the same database, after the one before has ended. */
  async function start(project: ReturnType<typeof projectIn>): Promise<Cluster> {
    await open.pop()?.close();
    const cluster = await Cluster.start({
      project,
      environment: { DATABASE_URL: `sqlite:${folder}/owners.db` },
    });
    open.push(cluster);
    return cluster;
  }

  test('follow them into another storage version', async () => {
    const before = await start(projectIn('v1', ', key: name'));
    const ports = [{ name: 'http', number: 80 }];
    await apply(before, ['a', 'd'], wanted({ location: 'eu', ports }));
    const spec = { model: 'x', nickname: 'uno' };
    const shown = await apply(before, ['b', 'd'], wanted(spec, 'v2beta1'), { version: 'v2beta1' });
    const element = 'spec.ports[name="http"].name spec.ports[name="http"].number';
    const owners = { 'a Apply': `${element} spec.site`, 'b Apply': 'spec.model spec.nickname' };
    expect(ownersOf(shown)).toEqual(owners);

    const after = await start(projectIn('v2beta1', ', key: name'));
    expect(ownersOf(await after.get(`${devices('v2beta1')}/d`))).toEqual(owners);
    expect(ownersOf(await after.get(`${devices('v1')}/d`))).toEqual({
      'a Apply': `spec.location ${element}`,
      'b Apply': 'spec.model',
    });
    const refused = await apply(after, ['c', 'd'], wanted({ location: 'us' }));
    expect(refused.body.message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.location');
    const left = await apply(after, ['b', 'd'], wanted({ model: 'x' }, 'v2beta1'), { version: 'v2beta1' });
    expect(left.body.spec).toEqual({ site: 'eu', model: 'x', ports });
  });

  test('are the elements of a list that gets a key, and the list when it loses it', async () => {
    const ports = [{ name: 'http', number: 80 }];
    const other = [{ name: 'http', number: 81 }];
    const message = async (cluster: Cluster): Promise<string> =>
      (await apply(cluster, ['b', 'd'], wanted({ ports: other }))).body.message;
    await apply(await start(projectIn('v1')), ['a', 'd'], wanted({ ports }));
    const keyed = await start(projectIn('v1', ', key: name'));
    expect(await message(keyed)).toContain('"a": .spec.ports[name="http"].number');
    const more = [...ports, { name: 'https' }];
    expect(ownersOf(await apply(keyed, ['a', 'd'], wanted({ ports: more })))['a Apply']).toBe(
      'spec.ports[name="http"].name spec.ports[name="http"].number spec.ports[name="https"].name',
    );
    const unkeyed = await start(projectIn('v1'));
    expect(await message(unkeyed)).toContain('"a": .spec.ports');
    const gone = await apply(unkeyed, ['a', 'd'], wanted({}));
    expect(gone.body.spec.ports).toBeUndefined();
  });
});
