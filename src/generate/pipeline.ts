import { readProject } from '../load/load-project';
import type { Acknowledgement } from '../lock/acknowledgement';
import { lockText } from '../lock/lock-file';
import { checkStability } from '../lock/stability';
import type { Problem } from '../model/problem';
import type { Project } from '../model/project';
import { type CheckedProject, type Notices, planProject } from '../plan/plan-project';
import { featureCommands } from '../render/features/commands';
import { featurePackages } from '../render/features/packages';
import { render, type RenderedFile } from '../render/render';
import type { Progress } from '../terminal/io';
import type { FileChange } from '../write/tree-plan';
import { compareTree, writeTree } from '../write/write';
import { type Inputs, inputsDigest, isUnchanged, type LastRun, lastRunText } from './last-run';
import { middlewareNotices } from './missing-middleware';

/** The options of a run. */
export interface GenerateOptions {
  /** True to write; otherwise the disk is only compared, and nothing but the project is relied on. */
  write: boolean;
  /** Decides which changes to stable versions are acknowledged. */
  isAcknowledged: Acknowledgement;
  progress: Progress;
}

/** The result of a run. */
export interface Generation {
  /** The changes that were made, or would be; ordered by path. */
  changes: FileChange[];
  /** Things the user should know, though nothing is wrong. */
  warnings: Problem[];
  /**
   * Fields that only one version has, where a rename may be forgotten, unless the last run has reported them or nothing has
   * changed; packages and commands that package.json lacks.
   */
  notices: string[];
}

/**
 * Loads, plans, renders and writes a project. A run that writes renders only what the last one did not. Throws Outdated
 * where the sources are others by then; nothing is written.
 */
export async function run(
  folder: string,
  inputs: Inputs,
  { write, isAcknowledged, progress }: GenerateOptions,
  last: LastRun | undefined,
): Promise<Generation & Pick<LastRun, 'packages' | 'commands'>> {
  const known = write ? last : undefined;
  const read = readProject(folder, inputs.text);
  const plan = planProject(read, known?.notices);
  const warnings = checkStability(plan, inputs.lock, isAcknowledged);
  const files = render(plan, { known: known?.files, onFile: (path) => progress.step(`rendering ${path}`) });
  progress.step(write ? 'writing' : 'comparing');
  const { changes } = write
    ? await writeTree(folder, files, {
        isCurrent: () => isUnchanged(folder, inputs, plan.imports),
        cache: () => lastRunText(resultOf(inputs, plan, files)),
      })
    : compareTree(folder, files);
  // A checkout of what another machine has generated has no last run, but nothing new either.
  const isNew = changes.some(({ action }) => action !== 'unchanged');
  const notices = [
    ...(isNew ? newNotices(plan.notices, last?.notices) : []),
    ...middlewareNotices(folder, plan.project),
  ];
  return { changes, warnings, notices, ...neededBy(plan.project) };
}

/** Returns what the next run can know of this one, once its files are compared with the disk. */
function resultOf({ text }: Inputs, plan: CheckedProject, files: RenderedFile[]): LastRun {
  const { imports, project, notices, lock } = plan;
  return {
    inputs: inputsDigest({ text, lock: lockText(lock) }, imports),
    imports: imports.map(({ written }) => written),
    notices,
    files: files.map(({ path, owner, source, digest }) =>
      owner === 'svcgen' ? { path, owner, source, digest } : { path, owner, source },
    ),
    ...neededBy(project),
  };
}

/** Returns what package.json must have because of the features that a project uses. */
function neededBy(project: Project): Pick<LastRun, 'packages' | 'commands'> {
  return { packages: featurePackages(project), commands: featureCommands(project) };
}

/** A notice is worth reading when it is new. */
function newNotices(now: Notices, before: Notices = {}): string[] {
  const known = new Set(Object.values(before).flat());
  return Object.values(now)
    .flat()
    .filter((notice) => !known.has(notice));
}
