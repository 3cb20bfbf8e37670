import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { checkShape } from './check-shape';
import { Located } from './located';
import { parseYaml } from './parse-yaml';
import { quoted } from '../quoted';
import { readTextFile, reason, UnreadableFile } from './text-file';
import type { Report, YamlFile } from './yaml-file';

/** The imported files of a group, by its list `imports`. */
export type TypeImports = (list: Located) => {
  files: Located[];
  /** Whether all of them could be read. */
  complete: boolean;
};

/** Reads imports from the folder of a project. Several groups may import one file; it is read once. */
export function typeImports(folder: string, report: Report): TypeImports {
  const parsed = new Map<string, YamlFile | undefined>();

  function load(path: string): YamlFile | undefined {
    if (parsed.has(path)) return parsed.get(path);
    const name = relative(realpathSync(folder), path).split(sep).join('/');
    const file = parseYaml(name, readTextFile(path), report);
    if (file !== undefined) checkShape(file, 'types', report);
    parsed.set(path, file);
    return file;
  }

  return (list) => {
    const files = new Map<string, Located>();
    let complete = true;
    for (const item of list.items()) {
      if (item.text === undefined || item.text.includes('\0')) continue;
      try {
        const path = inside(folder, item.text);
        if (files.has(path)) {
          item.problem(`${quoted(item.text)} is imported twice`, 'remove one of them');
          continue;
        }
        const file = load(path);
        if (file === undefined) complete = false;
        else files.set(path, Located.root(file, report));
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        item.problem(
          `${quoted(item.text)} ${error.message}`,
          'imports are YAML files of this project, relative to project.yaml',
        );
        complete = false;
      }
    }
    return { files: [...files.values()], complete };
  };
}

/** The real path of an import. Throws UnreadableFile when it is not inside the project. */
function inside(folder: string, path: string): string {
  const root = realpathSync(folder);
  const outside = new UnreadableFile('leaves the project folder');
  if (isAbsolute(path) || leaves(root, resolve(root, path))) throw outside;
  const real = realPath(resolve(root, path));
  if (leaves(root, real)) throw outside;
  if (real === realPath(resolve(root, 'project.yaml'))) throw new UnreadableFile('is this very file');
  return real;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UnreadableFile(reason(error));
  }
}

function leaves(root: string, path: string): boolean {
  const steps = relative(root, path);
  return isAbsolute(steps) || steps.split(sep)[0] === '..';
}
