import { stabilityOf } from '../../templates/runtime/site/discovery';
import { chooseGroup, editProject, loadText, readGroups } from '../edit/project-text';
import { addVersion } from '../edit/scaffold';
import { compareVersions } from '../model/names';
import { PROJECT_FILE } from '../model/problem';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';

interface Options {
  project?: string;
  from?: string;
  group?: string;
  storage?: boolean;
  force?: boolean;
}

/** `svcgen add version <version>`. */
export async function run({ io }: Session, options: Options, [name]: string[]): Promise<Outcome> {
  const folder = findProject(io.cwd(), options.project);
  let stored = name;
  await editProject(folder, (text) => {
    const edited = addVersion(text, { ...options, name }, (changed) => loadText(folder, changed));
    stored = chooseGroup(readGroups(edited), options.group).storageVersion;
    return edited;
  });
  const isUnstable = options.storage && !options.force && stabilityOf(name) !== 'stable';
  return {
    exit: 0,
    files: [{ path: PROJECT_FILE, action: 'update' }],
    problems: isUnstable
      ? [
          {
            message: `stored data now uses ${name}, whose fields may still change`,
            hint: 'pass --force if this is intended',
          },
        ]
      : [],
    notes: [
      options.storage
        ? `svcgen: ${name} is now the storage version; run svcgen generate, then npm run migrate-storage if there is stored data`
        : `svcgen: added version ${name} to project.yaml; edit its fields, then run svcgen generate`,
      ...(compareVersions(name, stored) < 0
        ? [
            `svcgen: data is still stored in ${stored}; svcgen add version ${name} --storage stores it in ${name}`,
          ]
        : []),
    ],
  };
}
