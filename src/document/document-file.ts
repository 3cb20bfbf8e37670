import type { Failure } from '../../templates/runtime/model/problem';
import { pointerKeys } from '../model/json-pointer';
import type { ResourceDocument } from './convert-document';
import { isObject } from '../../templates/runtime/model/schema';
import { parseYaml } from '../load/yaml/parse-yaml';
import type { YamlFile } from '../load/yaml/yaml-file';
import { type Problem, ProjectError } from '../model/problem';
import { quoted, visible } from '../model/quoted';

/** A resource in a file, JSON or YAML, that knows where its members stand. */
export class DocumentFile {
  private readonly file: YamlFile;

  /** `name` is what problems call it. Throws ProjectError for what is neither. */
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

  /** The resource, which has to be of this kind and version where it says of which it is. Throws ProjectError. */
  resource(is: { group: string; kind: string; version: string }): ResourceDocument {
    const { data } = this.file;
    if (!isObject(data)) return this.problem([], `${this.name} is not a resource: it is not an object`);
    const { apiVersion, kind, metadata, spec, status, ...others } = data;
    if (!isObject(spec))
      return this.problem(['spec'], `${this.name} is not a resource: its spec is not an object`);
    const named = `${is.group}/${is.version}`;
    if (apiVersion !== undefined && apiVersion !== named && apiVersion !== is.version)
      this.problem(
        ['apiVersion'],
        `apiVersion is ${quoted(apiVersion)}, not ${named}`,
        '--from names the version of the document',
      );
    if (kind !== undefined && kind !== is.kind)
      this.problem(['kind'], `kind is ${quoted(kind)}, not ${is.kind}`);
    for (const [part, value] of Object.entries({ metadata, status }))
      if (value !== undefined && value !== null && !isObject(value))
        this.problem([part], `${part} must be an object`);
    const [other] = Object.keys(others);
    if (other !== undefined)
      this.problem(
        [other],
        `unknown member ${quoted(other)}`,
        'a resource has apiVersion, kind, metadata, spec and status',
      );
    return {
      apiVersion: named,
      kind: is.kind,
      ...(isObject(metadata) && { metadata }),
      spec,
      ...(isObject(status) && { status }),
    };
  }

  /** Throws ProjectError with every failure, where it is in the file. */
  refuse(failures: Failure[]): never {
    throw new ProjectError(
      failures.map(({ pointer, detail }) => ({
        ...this.file.value(pointerKeys(pointer)),
        message: `#${pointer}: ${detail}`,
      })),
    );
  }

  private problem(path: string[], message: string, hint?: string): never {
    throw new ProjectError([{ ...this.file.value(path), message, hint }]);
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
