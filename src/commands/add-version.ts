import type { Session } from '../cli';
import { editProject, loadText } from '../edit/edit-project';
import { stability } from '../names';
import type { Outcome } from '../cli/outcome';
import { findProject } from '../cli/project-folder';
import { addVersion } from '../edit/scaffold';

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
  await editProject(folder, (text) =>
    addVersion(text, { ...options, name: name! }, (changed) => loadText(folder, changed)),
  );
  const isUnstable = options.storage && !options.force && stability(name!) !== 'stable';
  return {
    exit: 0,
    files: [{ path: 'project.yaml', action: 'update' }],
    problems: isUnstable
      ? [
          {
            message: `stored data is in ${name} now, whose fields may still change`,
            hint: '--force: it is meant so',
          },
        ]
      : [],
    notes: [
      options.storage
        ? `svcgen: ${name} is the storage version now; run svcgen generate, and npm run migrate-storage where data is stored`
        : `svcgen: version ${name} is in project.yaml now; edit its fields, then run svcgen generate`,
    ],
  };
}
