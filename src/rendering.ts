import type { Cache } from './cache/cache';
import { digestOf } from './cache/digest';
import { inputsDigest } from './cache/inputs';
import { type CachedPart, partsOf, placesOf } from './cache/openapi-parts';
import type { Progress } from './cli/progress';
import { checkConversions } from './conversions';
import type { LoadedProject } from './load/load-project';
import type { Problem } from './problem';
import { LazyFile } from './render/lazy-file';
import { OPENAPI_FILE, openApiText } from './render/openapi-file';
import { planFiles, planKinds, type PlannedFile } from './render/render';
import { checkStability, LOCK_FILE, lockText } from './stability';

/** What a project is rendered to. */
export interface Rendering {
  files: LazyFile[];
  warnings: Problem[];
  notices: Cache['notices'];
  /** What the kinds have in openapi.json, once it is rendered, or as it was known before. */
  openApi(): CachedPart[];
}

/** What is known of the run before, and the folder that it was in. */
export interface Known {
  cache: Cache;
  folder: string;
}

/**
 * The files of the project, svcgen.lock among them. `lock` is the text of the one on disk. Throws ProjectError for a
 * change to a stable version that is not acknowledged. A file that is known is rendered only if it has to be written.
 */
export function renderProject(
  loaded: LoadedProject,
  lock: string | undefined,
  force: boolean,
  progress: Progress,
  before?: Known,
): Rendering {
  const kinds = planKinds(loaded.project);
  const sources = new Map(kinds.map(({ subject, source }) => [subject.kind, source]));
  const found = checkConversions(loaded, (kind) => before?.cache.notices[sources.get(kind)!]);
  const notices = Object.fromEntries(kinds.map(({ source }, index) => [source, found[index]!]));
  const warnings = checkStability(loaded, lock, force);
  const known = new Map(before?.cache.files.map((file) => [file.path, file]));
  let openApi = before?.cache.openApi ?? [];
  const renderOpenApi = (): string => {
    const recall = before === undefined ? () => undefined : partsOf(before.folder, before.cache);
    const { text, parts } = openApiText(loaded.project, recall);
    openApi = placesOf(text, parts);
    return text;
  };
  const files = [...planFiles(loaded.project, kinds), lockFile(loaded)].map((file) => {
    const { path, source } = file;
    const text = (): string => {
      progress.step(`rendering ${path}`);
      return path === OPENAPI_FILE ? renderOpenApi() : file.text();
    };
    const cached = known.get(path);
    return new LazyFile({ ...file, text }, cached?.source === source ? cached.digest : undefined);
  });
  return { files, warnings, notices, openApi: () => openApi };
}

function lockFile({ project }: LoadedProject): PlannedFile {
  const text = lockText(project);
  return { path: LOCK_FILE, owner: 'svcgen', source: digestOf(text), text: () => text };
}

/** What the next run can know of this one, once its files are compared with the disk. */
export function cacheOf(
  text: string,
  { imports, project, kinds }: LoadedProject,
  rendering: Rendering,
): Cache {
  const { files, notices, openApi } = rendering;
  return {
    inputs: inputsDigest(text, lockText(project), imports),
    imports: imports.map(({ written }) => written),
    notices,
    kinds: kinds(),
    files: files.map(({ path, owner, source, digest }) => ({
      ...{ path, owner, source },
      ...(owner === 'svcgen' && { digest }),
    })),
    openApi: openApi(),
  };
}
