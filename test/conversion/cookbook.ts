import * as ts from 'typescript';
import { parse, stringify } from 'yaml';
import type { KindDefinition, KindVersion } from '../../templates/runtime/model/kinds/kind';
import { HttpProblem } from '../../templates/runtime/model/problem';
import type { Resource } from '../../templates/runtime/model/resource';
import type { JsonObject } from '../../templates/runtime/model/schema';
import type { ServiceDefinition } from '../../templates/runtime/service/definition';
import { readSettings } from '../../templates/runtime/settings/settings';
import { admit, judge } from '../../templates/runtime/validation/admission';
import { versioning } from '../../templates/runtime/versions';
import { type HubState, preservedAfter, shownIn } from '../../templates/runtime/versions/hub-state';
import { writeThrough } from '../../templates/runtime/versions/spoke-writing';
import { compileValidators } from '../render/compile-validators';
import { spokes, type UserFile } from './harness';

/** An example of a page: two versions with the rules between them, and what happens to one resource. */
export interface Example {
  title: string;
  /** `types`, `v1` (the hub) and `v1beta1`, as they stand in project.yaml. */
  yaml: string;
  /** The functions of the kind's own file. */
  code: string;
  steps: Step[];
}

/** A line of an example: a write of the spec through a version, or a read of it. */
export interface Step {
  method: string;
  version: string;
  spec: JsonObject;
  /** Status and pointer of a refused write, such as `400 #/spec/port`. */
  refusal: string | undefined;
}

/** The examples of a page: the sections that have a block of YAML with both versions, and one of requests. */
export function examplesOf(markdown: string): Example[] {
  return markdown.split(/^#+ /m).flatMap((section) => {
    const block = (language: string): string =>
      new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
    const [yaml, requests] = [block('yaml'), block('text')];
    if (!/^v1beta1:/m.test(yaml)) return [];
    const [title = ''] = section.split('\n', 1);
    return [{ title, yaml, code: block('ts'), steps: requests.trim().split('\n').map(stepOf) }];
  });
}

function stepOf(line: string): Step {
  const match = /^(POST|GET|PUT) +(v1|v1beta1) +(\{.*?\})(?: +→ (400 .*))?$/.exec(line);
  if (match === null) throw new Error(`no step: ${line}`);
  const [, method = '', version = '', spec = '', refusal] = match;
  return { method, version, spec: JSON.parse(spec) as JsonObject, refusal };
}

/** Takes a resource through the steps of an example with the code of a service; `check` gets each outcome. */
export function perform(example: Example, check: (step: Step, outcome: unknown) => void): void {
  const kind = kindOf(example);
  let state: HubState | undefined;
  for (const step of example.steps) {
    const { method, version, spec, refusal } = step;
    if (method === 'GET') {
      check(step, shownIn(kind, state!, version).spec);
      continue;
    }
    try {
      state = written(kind, method === 'POST' ? undefined : state!, version, structuredClone(spec));
      check(step, undefined);
    } catch (error) {
      if (!(error instanceof HttpProblem) || refusal === undefined) throw error;
      check(step, `${error.status} ${error.extras.errors?.map(({ pointer }) => pointer).join(', ')}`);
    }
  }
}

function written(
  kind: KindDefinition,
  before: HubState | undefined,
  version: string,
  spec: JsonObject,
): HubState {
  const shown = before && shownIn(kind, before, version).spec;
  judge(SERVICE.definition, admit(SERVICE, kind, { version, part: 'spec', fields: spec }, shown), []);
  const { fields, aside } = writeThrough(SERVICE, kind, { version, part: 'spec', fields: spec }, before, []);
  const hub: Resource = { ...(before?.hub ?? NEW), spec: fields };
  return { hub, preserved: preservedAfter(kind, before, hub, { version, part: 'spec', aside }) };
}

const DEFINITION: ServiceDefinition = {
  name: 'cookbook',
  validation: 'strict',
  features: [],
  requireIfMatch: false,
  cacheControl: 'no-cache',
  databases: [],
  groups: [],
};
const SERVICE = { definition: DEFINITION, settings: readSettings({}) };

const NEW: Resource = {
  apiVersion: 'example.svc.dev/v1',
  kind: 'Thing',
  metadata: { name: '', uid: '', createdAt: '', updatedAt: '', generation: 1 },
  spec: {},
  status: {},
};

function kindOf({ yaml, code }: Example): KindDefinition {
  const { types = {}, ...versions } = parse(yaml) as { [part: string]: unknown };
  const group = {
    name: 'example.svc.dev',
    storageVersion: 'v1',
    versions: ['v1', 'v1beta1'],
    types,
    kinds: [{ name: 'Thing', versions }],
  };
  const spoke = spokes(stringify({ name: 'cookbook', groups: [group] }), exportsOf(code)).get('v1beta1')!;
  const version = (schemas: typeof spoke.hub): KindVersion => ({ ...schemas, ...compileValidators(schemas) });
  return {
    group: group.name,
    kind: 'Thing',
    plural: 'things',
    uidPrefix: 'thi',
    storageVersion: 'v1',
    servedVersions: ['v1', 'v1beta1'],
    versions: {
      v1: version(spoke.hub),
      v1beta1: { ...version(spoke.spoke), converter: spoke.converter },
    },
    hooks: {},
    versioning,
  };
}

function exportsOf(code: string): UserFile {
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exported: UserFile = {};
  new Function('exports', outputText)(exported);
  return exported;
}
