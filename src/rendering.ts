import type { Cache } from './cache/cache';
import { digestOf } from './cache/digest';
import { inputsDigest } from './cache/inputs';
import type { Progress } from './cli/progress';
import { checkConversions } from './conversions';
import type { LoadedProject } from './load/load-project';
import type { Problem } from './problem';
import { LazyFile } from './render/lazy-file';
import { planFiles, type PlannedFile } from './render/render';
import { checkStability, LOCK_FILE, lockText } from './stability';

/** What a project is rendered to. */
export interface Rendering {
  files: LazyFile[];
  warnings: Problem[];
  notices: string[];
}

/**
 * The files of the project, svcgen.lock among them. `lock` is the text of the one on disk. Throws ProjectError for a
 * change to a stable version that is not acknowledged. A file that `cache` knows is rendered only if it has to be
 * written.
 */
export function renderProject(
  loaded: LoadedProject,
  lock: string | undefined,
  force: boolean,
  progress: Progress,
  cache?: Cache,
): Rendering {
  const notices = checkConversions(loaded);
  const warnings = checkStability(loaded, lock, force);
  const known = new Map(cache?.files.map((file) => [file.path, file]));
  const files = [...planFiles(loaded.project), lockFile(loaded)].map((file) => {
    const { path, source } = file;
    const text = (): string => {
      progress.step(`rendering ${path}`);
      return file.text();
    };
    const cached = known.get(path);
    return new LazyFile({ ...file, text }, cached?.source === source ? cached.digest : undefined);
  });
  return { files, warnings, notices };
}

function lockFile({ project }: LoadedProject): PlannedFile {
  const text = lockText(project);
  return { path: LOCK_FILE, owner: 'svcgen', source: digestOf(text), text: () => text };
}

/** What the next run can know of this one, once its files are compared with the disk. */
export function cacheOf(
  text: string,
  { imports, project }: LoadedProject,
  { files, notices }: Rendering,
): Cache {
  return {
    inputs: inputsDigest(text, lockText(project), imports),
    imports: imports.map(({ written }) => written),
    notices,
    files: files.map(({ path, owner, source, digest }) => ({
      ...{ path, owner, source },
      ...(owner === 'svcgen' && { digest }),
    })),
  };
}
