import type { Session } from '../cli';
import { editProject } from '../edit/edit-project';
import type { Outcome } from '../cli/outcome';
import { findProject } from '../cli/project-folder';
import { addKind } from '../edit/scaffold';

interface Options {
  project?: string;
  version?: string;
  group?: string;
  plural?: string;
  specVersioning?: boolean;
}

/** `svcgen add kind <Kind>`. */
export async function run({ io }: Session, options: Options, [name]: string[]): Promise<Outcome> {
  const folder = findProject(io.cwd(), options.project);
  await editProject(folder, (text) => addKind(text, { ...options, name: name! }));
  return {
    exit: 0,
    files: [{ path: 'project.yaml', action: 'update' }],
    notes: [`svcgen: kind ${name} is in project.yaml now; edit its fields, then run svcgen generate`],
  };
}
