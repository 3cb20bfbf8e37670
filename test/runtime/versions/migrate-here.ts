import type { Project } from '../../../src/model/project';
import { migrateStorage } from '../../../templates/runtime/versions/migrate-storage';
import { kindDefinition, serviceDefinition } from '../support/harness';

/** Runs `migrate-storage` of a project in the test's process, on `store.db` in a folder. Returns its exit code and output. */
export async function migrateHere(project: Project, folder: string): Promise<[code: number, said: string[]]> {
  const kinds = project.groups.flatMap((group) => group.kinds.map((kind) => kindDefinition(group, kind, {})));
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((line) => said.push(String(line)) > 0),
  );
  const before = process.env['DATABASE_URL'];
  process.env['DATABASE_URL'] = `sqlite:${folder}/store.db`;
  const code = await migrateStorage(serviceDefinition(project), kinds, []);
  process.env['DATABASE_URL'] = before ?? '';
  spies.forEach((spy) => spy.mockRestore());
  return [code, said];
}
