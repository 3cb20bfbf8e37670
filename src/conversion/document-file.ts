import type { DocumentFailure, ResourceDocument } from './convert-document';
import { parseYaml } from '../load/parse-yaml';
import type { YamlFile } from '../load/yaml-file';
import type { Json } from '../model';
import { type Problem, ProjectError } from '../problem';
import { quoted } from '../quoted';

/** A resource in a file, JSON or YAML, that knows where its members stand. */
export class DocumentFile {
  private readonly file: YamlFile;

  /** `name` is what problems call it. Throws ProjectError for what is neither. */
  constructor(
    private readonly name: string,
    text: string,
  ) {
    const problems: Problem[] = [];
    const isJson = /^\s*[[{"]/.test(text);
    try {
      if (isJson) JSON.parse(text);
    } catch (error) {
      throw new ProjectError([{ message: `${name} is not JSON: ${(error as Error).message}` }]);
    }
    const file = parseYaml(name, text, (problem) => problems.push(problem));
    if (file === undefined || problems.length > 0) throw new ProjectError(problems);
    this.file = file;
  }

  /** The resource, which has to be of this kind and version where it says of which it is. Throws ProjectError. */
  resource(is: { group: string; kind: string; version: string }): ResourceDocument {
    const { data } = this.file;
    if (!isMapping(data)) return this.problem([], `${this.name} is no resource: it is no object`);
    const { apiVersion, kind, metadata, spec, status, ...others } = data;
    if (!isMapping(spec))
      return this.problem(['spec'], `${this.name} is no resource: it has no spec that is an object`);
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
      if (value !== undefined && value !== null && !isMapping(value))
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
      ...(isMapping(metadata) && { metadata }),
      spec,
      ...(isMapping(status) && { status }),
    };
  }

  /** Throws ProjectError with every failure, where it is in the file. */
  refuse(failures: DocumentFailure[]): never {
    throw new ProjectError(
      failures.map(({ pointer, detail }) => ({
        ...this.file.value(steps(pointer)),
        message: `#${pointer}: ${detail}`,
      })),
    );
  }

  private problem(path: string[], message: string, hint?: string): never {
    throw new ProjectError([{ ...this.file.value(path), message, hint }]);
  }
}

function isMapping(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}
