import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { makeFolder } from '../../templates/runtime/files/make-folder';
import { loadText } from '../edit/project-text';
import { newProjectText } from '../edit/scaffold';
import { explainFileError } from '../files/file-errors';
import { PROJECT_FILE, refuse } from '../model/problem';
import { plannedProject } from '../plan/planned-project';
import { lackingInManifest } from '../render/features/existing-manifest';
import { render } from '../render/render';
import { isConversation, Progress } from '../terminal/io';
import { type FileChange, planTree } from '../write/tree-plan';
import { rewriteProject, writeTree } from '../write/write';
import { type InitOptions, newProject } from './init-options';
import { hasProject } from './project-folder';
import type { Outcome, Session } from './session';
import { fileActions, summary } from './summary';

/** `svcgen init [folder]`. */
export async function run(session: Session, options: InitOptions, [argument]: string[]): Promise<Outcome> {
  const cwd = session.io.cwd();
  if (argument !== undefined && options.project !== undefined)
    refuse('the folder is given twice, as the argument and with --project');
  const folder = resolve(cwd, argument ?? options.project ?? '.');
  requireFree(folder);
  const answers =
    !options.yes && isConversation(session) ? await converse(folder, options, session) : options;
  const text = newProjectText(newProject(folder, answers));
  const changes = await create(folder, text, new Progress(session));
  const lacking = lackingInManifest(folder, loadText(folder, text).project);
  return {
    exit: 0,
    files: [{ path: PROJECT_FILE, action: 'create' }, ...fileActions(changes)],
    notes: [summary(changes), ...untouched(changes), ...lacking, ...nextSteps(relative(cwd, folder))],
  };
}

/** Writes project.yaml first, so that `svcgen generate` completes an interrupted run. */
async function create(folder: string, text: string, progress: Progress): Promise<FileChange[]> {
  try {
    const plan = plannedProject(loadText(folder, text).project);
    const files = render(plan, { onFile: (path) => progress.step(`rendering ${path}`) });
    planTree(folder, files, { first: true });
    progress.step('writing');
    makeFolder(folder);
    await rewriteProject(folder, () => {
      requireFree(folder);
      return text;
    });
    return (await writeTree(folder, files, { first: true })).changes;
  } catch (error) {
    throw explainFileError(error);
  } finally {
    progress.end();
  }
}

function requireFree(folder: string): void {
  if (hasProject(folder)) refuse(`${folder} already has a project.yaml`, 'run svcgen add kind to extend it');
  if (isNoFolder(folder)) refuse(`${folder} is not a folder`);
}

function isNoFolder(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    throw explainFileError(error);
  }
}

/** Asks for what the flags leave out, once nothing is wrong with those that are given. */
async function converse(folder: string, options: InitOptions, { io }: Session): Promise<InitOptions> {
  loadText(folder, newProjectText(newProject(folder, options)));
  const { ask } = await import('./questions');
  return ask(folder, options, io);
}

/** Returns a note for each file that was there before svcgen, in the place of a user-owned file. */
function untouched(changes: FileChange[]): string[] {
  const mine = changes.filter(({ owner, action }) => owner === 'user' && action === 'unchanged');
  return mine.map(({ path }) => `svcgen: ${path} already existed and was not changed`);
}

function nextSteps(folder: string): string[] {
  // A name that starts with a dash would be an option.
  const path = folder.startsWith('-') ? `./${folder}` : folder;
  const enter =
    folder === '' ? [] : [`  cd ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`];
  return [
    'next:',
    ...enter,
    '  svcgen add kind <Kind>   # then edit its fields in project.yaml',
    '  svcgen generate          # after every change, or once with --watch',
    '  npm install',
    '  npm start                # or npm run dev, which starts again after every change',
  ];
}
