import { mkdirSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Session } from '../cli';
import { loadText } from '../edit/edit-project';
import { explainFileError } from '../write/file-errors';
import { renderProject } from '../rendering';
import type { InitOptions } from '../cli/init-options';
import { newProject } from '../cli/init-options';
import { PROJECT_FILE } from '../load/project-file';
import type { Outcome } from '../cli/outcome';
import { Progress } from '../cli/progress';
import { hasProject } from '../cli/project-folder';
import { refuse } from '../cli/refusal';
import { newProjectText } from '../edit/scaffold';
import { fileActions, summary } from '../cli/summary';
import { type FileChange, planTree } from '../write/tree-plan';
import { rewriteFile, writeTree } from '../write/write';

/** `svcgen init [folder]`. */
export async function run(session: Session, options: InitOptions, [argument]: string[]): Promise<Outcome> {
  const cwd = session.io.cwd();
  if (argument !== undefined && options.project !== undefined)
    refuse('the folder is named twice, by the argument and by --project');
  const folder = resolve(cwd, argument ?? options.project ?? '.');
  requireFree(folder);
  const answers = isConversation(session, options) ? await converse(folder, options) : options;
  const changes = await create(folder, newProjectText(newProject(folder, answers)), new Progress(session));
  return {
    exit: 0,
    files: [{ path: PROJECT_FILE, action: 'create' }, ...fileActions(changes)],
    notes: [summary(changes), ...kept(changes), ...nextSteps(relative(cwd, folder))],
  };
}

/** Writes project.yaml first, so that `svcgen generate` completes an interrupted run. */
async function create(folder: string, text: string, progress: Progress): Promise<FileChange[]> {
  try {
    const { files } = renderProject(loadText(folder, text), undefined, false, progress);
    planTree(folder, files, { first: true });
    progress.step('writing');
    mkdirSync(folder, { recursive: true });
    await rewriteFile(folder, PROJECT_FILE, () => {
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
  if (hasProject(folder)) refuse(`${folder} has a project.yaml already`, 'svcgen add kind adds to it');
  if (isNoFolder(folder)) refuse(`${folder} is not a folder`);
}

function isNoFolder(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    throw explainFileError(error);
  }
}

function isConversation({ io, json }: Session, { yes }: InitOptions): boolean {
  return !!io.stdin.isTTY && !!io.stderr.isTTY && !json && !yes && !io.env.CI;
}

async function converse(folder: string, options: InitOptions): Promise<InitOptions> {
  const { ask } = await import('../cli/questions');
  return ask(folder, options);
}

/** What was there before svcgen, in the place of a file that it would have given to the user. */
function kept(changes: FileChange[]): string[] {
  const mine = changes.filter(({ owner, action }) => owner === 'user' && action === 'unchanged');
  return mine.map(({ path }) => `svcgen: ${path} was there already and stays as it is`);
}

function nextSteps(folder: string): string[] {
  const enter =
    folder === ''
      ? []
      : [`  cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`];
  return ['next:', ...enter, '  npm install', '  npm start', '  svcgen add kind <Kind>'];
}
