import { pointerKeys } from '../../templates/runtime/model/fragment';
import type { Failure } from '../../templates/runtime/model/problem';
import { isObject } from '../../templates/runtime/model/schema';
import { parseYaml } from '../load/yaml/parse-yaml';
import type { YamlFile } from '../load/yaml/yaml-file';
import { type Problem, ProjectError } from '../model/problem';
import { quoted, visible } from '../model/quoted';
import type { ResourceDocument } from './convert-document';

/** A resource in a file, JSON or YAML, that knows where its members stand. */
export class DocumentFile {
  private readonly file: YamlFile;
  private readonly problems: Problem[] = [];

  /** `name` is its name in problems. Throws ProjectError for text that is neither JSON nor YAML. */
  constructor(
    private readonly name: string,
    text: string,
  ) {
    const problems: Problem[] = [];
    const file = parseYaml(name, text, (problem) => problems.push(problem));
    // YAML may start like JSON; what is neither was meant to be JSON.
    if (file === undefined && /^\s*[[{"]/.test(text)) throw new ProjectError([jsonProblem(name, text)]);
    if (file === undefined || problems.length > 0) throw new ProjectError(problems);
    this.file = file;
  }

  /**
   * Returns the resource. Its `apiVersion` and `kind`, if present, must be these. Throws ProjectError for a document
   * that is not a resource; `check` and `refuse` report all other problems.
   */
  resource(is: { group: string; kind: string; version: string }): ResourceDocument {
    const { data } = this.file;
    if (!isObject(data)) throw this.error(`${this.name} is not a resource: it is not an object`);
    const { apiVersion, kind, metadata, spec, status, ...others } = data;
    const named = `${is.group}/${is.version}`;
    if (apiVersion !== undefined && apiVersion !== named && apiVersion !== is.version)
      this.note(
        'apiVersion',
        `apiVersion is ${quoted(apiVersion)}, not ${named}`,
        '--from names the version of the document',
      );
    if (kind !== undefined && kind !== is.kind) this.note('kind', `kind is ${quoted(kind)}, not ${is.kind}`);
    for (const [part, value] of Object.entries({ metadata, status }))
      if (value !== undefined && value !== null && !isObject(value))
        this.note(part, `${part} must be an object`);
    for (const other of Object.keys(others))
      this.note(
        other,
        `unknown member ${quoted(other)}`,
        'a resource has apiVersion, kind, metadata, spec and status',
      );
    if (!isObject(spec))
      throw this.error(`${this.name} is not a resource: its spec is not an object`, 'spec');
    return {
      apiVersion: named,
      kind: is.kind,
      ...(isObject(metadata) && { metadata }),
      spec,
      ...(isObject(status) && { status }),
    };
  }

  /** Throws ProjectError where `resource` found problems. */
  check(): void {
    if (this.problems.length > 0) this.refuse([]);
  }

  /**
   * Throws ProjectError with the problems that `resource` found, and with every failure at its position in the file.
   */
  refuse(failures: Failure[]): never {
    const broken = failures.map(({ pointer, detail }) => ({
      ...this.file.value(pointerKeys(pointer)),
      message: `#${pointer}: ${detail}`,
    }));
    throw new ProjectError([...this.problems, ...broken]);
  }

  private note(member: string, message: string, hint?: string): void {
    this.problems.push({ ...this.file.value([member]), message, hint });
  }

  private error(message: string, ...path: string[]): ProjectError {
    return new ProjectError([...this.problems, { ...this.file.value(path), message }]);
  }
}

function jsonProblem(name: string, text: string): Problem {
  try {
    JSON.parse(text);
  } catch (error) {
    return { message: `${name} is not JSON, and not YAML either: ${visible((error as Error).message)}` };
  }
  return { message: `${name} cannot be read: it is nested too deeply` };
}
