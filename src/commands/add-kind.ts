import { stabilityOf } from '../../templates/runtime/site/discovery';
import { chooseGroup, editProject, readGroups } from '../edit/project-text';
import { addKind } from '../edit/scaffold';
import { PROJECT_FILE } from '../model/problem';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';

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
  let stable: string[] = [];
  await editProject(folder, (text) => {
    const edited = addKind(text, { ...options, name });
    const group = chooseGroup(readGroups(edited), options.group);
    const versions = group.kinds.find((kind) => kind.name === name)?.versions ?? [];
    stable = versions.filter((each) => stabilityOf(each) === 'stable');
    return edited;
  });
  return {
    exit: 0,
    files: [{ path: PROJECT_FILE, action: 'update' }],
    notes: [
      `svcgen: added kind ${name} to project.yaml; edit its fields, then run svcgen generate`,
      ...stable.map(stabilityNote),
    ],
  };
}

/** The note on changing the fields of a stable version after they are generated. */
function stabilityNote(version: string): string {
  return `svcgen: ${version} is stable: once it is generated, changes to its fields must be acknowledged. svcgen generate asks on a terminal; elsewhere, add --force=compatible for compatible changes or --force for all`;
}
