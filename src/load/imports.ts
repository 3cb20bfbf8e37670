import { readTextFile, UnreadableFile } from '../files/text-file';
import { quoted } from '../model/quoted';
import { checkShape } from './check-shape';
import { importName, importPath } from './project-file';
import { Located } from './yaml/located';
import { parseYaml } from './yaml/parse-yaml';
import type { Report, YamlFile } from './yaml/yaml-file';

/** The imported files of a group, by its list `imports`. */
export type TypeImports = (list: Located) => {
  files: Located[];
  /** True where all of them could be read. */
  complete: boolean;
};

/** An import as it is written in project.yaml, the file that it is, relative to the project, and the text of that. */
export interface ImportedText {
  written: string;
  name: string;
  text: string;
}

/**
 * Reads imports from the folder of a project, and adds them to `read`. Several groups may import one file; it is read
 * once.
 */
export function typeImports(folder: string, report: Report, read: ImportedText[]): TypeImports {
  const parsed = new Map<string, YamlFile | undefined>();

  function load(path: string): YamlFile | undefined {
    if (parsed.has(path)) return parsed.get(path);
    const file = parseYaml(importName(folder, path), readTextFile(path), report);
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
        const path = importPath(folder, item.text);
        if (files.has(path)) {
          item.problem(`${quoted(item.text)} is imported twice`, 'remove one of them');
          continue;
        }
        const file = load(path);
        if (file === undefined) {
          complete = false;
        } else {
          files.set(path, Located.root(file, report));
          read.push({ written: item.text, name: file.name, text: file.text });
        }
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
