import { stabilityOf } from '../../templates/runtime/site/discovery';
import type { RawRule } from '../conversion/rules/invert-rule';
import { chooseGroup, editProject, type GroupText, loadText, readGroups } from '../edit/project-text';
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
  let defaults: string[] = [];
  await editProject(folder, (text) => {
    if (options.storage)
      defaults = movedDefaults(chooseGroup(readGroups(text), options.group), options, name);
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
            hint: 'with --force, the command does not warn',
          },
        ]
      : [],
    notes: [
      options.storage
        ? `svcgen: ${name} is now the storage version; run svcgen generate, then npm run migrate-storage if there is stored data`
        : `svcgen: added version ${name} to project.yaml; edit its fields, then run svcgen generate`,
      ...defaults,
      ...(compareVersions(name, stored) < 0
        ? [
            `svcgen: data is still stored in ${stored}; svcgen add version ${name} --storage stores it in ${name}`,
          ]
        : []),
    ],
  };
}

/** Returns a note for each rule that supplies a field of the next storage version: it will supply it for the others alone. */
function movedDefaults({ storageVersion, kinds }: GroupText, { from }: Options, name: string): string[] {
  return kinds.flatMap((kind) => {
    const source = kind.versions.includes(name) ? name : (from ?? storageVersion);
    return (kind.rules[source] ?? []).flatMap((rule) => {
      const field = (rule as RawRule)['default']?.['spoke'];
      if (field === undefined) return [];
      return [
        `svcgen: ${kind.name}: the rule default of ${field as string} now applies to other versions only; give the field a default in ${name} if clients of ${name} leave it out`,
      ];
    });
  });
}
