import type { Call } from './call';
import type { SpokeConverter } from './conversion/converter';
import { fillDefaults, normalise } from './fields';
import { forgive } from './forgiveness';
import { converterOf } from './kept';
import type { KindDefinition, ServiceDefinition } from './kind';
import { child } from './patch/json-value';
import { HttpProblem, type Failure } from './problem';
import { warning } from './respond';
import type { Resource } from './resource';
import type { Json, JsonObject } from './schema';
import { validateFields } from './validation';

/** How many failures one answer names, and in about how many characters: a name may be as long as a body. */
const MAX_FAILURES = 100;
const MAX_FAILURES_LENGTH = 65_536;
/** Headers are bounded: a client's parser gives up at about 16 KiB of them. */
const MAX_WARNING_BYTES = 8_192;

/** The two parts of a resource that have fields. */
export type Part = 'spec' | 'status';

/**
 * Makes a part that a client sent ready to be stored, in place: nulls of declared fields removed, defaults filled in.
 * Returns every failed rule of the version. A spoke accepts what the client sends back as it read it, `before`.
 */
export function admit(
  kind: KindDefinition,
  version: string,
  part: Part,
  fields: JsonObject,
  before: JsonObject | undefined,
): Failure[] {
  const { [part]: schema, types } = kind.versions[version];
  normalise(schema, types, fields);
  const failures = complete(kind, version, part, fields);
  if (version === kind.storageVersion || failures.length === 0) return failures;
  const supplied = suppliedBy(converterOf(kind, version), part, fields, failures);
  return forgive(supplied, fields, before, { schema, types });
}

/** Without the fields that a client may leave out, because the rules of the version supply them when it reads. */
function suppliedBy(
  converter: SpokeConverter,
  part: Part,
  fields: JsonObject,
  failures: Failure[],
): Failure[] {
  if (!failures.some(({ rule }) => rule === 'required')) return failures;
  const put = converter.toHub({ spec: {}, status: {}, [part]: fields }, undefined, []);
  const read = converter.fromHub(put.hub, put.kept);
  const isRead = (pointer: string): boolean =>
    pointer
      .split('/')
      .slice(1)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
      .reduce<Json | undefined>((value, step) => value && child(value, step), { ...read }) !== undefined;
  return failures.filter(({ rule, pointer }) => rule !== 'required' || !isRead(pointer));
}

/** Fills in the defaults of a part, in place. Returns every failed rule of the version. */
export function complete(kind: KindDefinition, version: string, part: Part, fields: JsonObject): Failure[] {
  const { [part]: schema, types, validateSpec, validateStatus } = kind.versions[version];
  fillDefaults(schema, types, fields);
  return validateFields(part === 'spec' ? validateSpec : validateStatus, schema, types, fields, `/${part}`);
}

/**
 * What failures mean in the service's validation mode: `strict` throws HttpProblem 400 with all of them,
 * `warn` adds them to the warnings of the answer, `disabled` forgets them.
 */
export function judge(service: ServiceDefinition, failures: Failure[], warnings: string[]): void {
  if (failures.length === 0 || service.validation === 'disabled') return;
  if (service.validation === 'strict') throw invalid(failures);
  let room = MAX_WARNING_BYTES;
  for (const { pointer, detail } of failures) {
    const text = warning(`${pointer}: ${detail}`);
    room -= text.length;
    if (room < 0) return;
    warnings.push(text);
  }
}

/** The 400 answer that names every failure; its detail names the fields, for people. */
export function invalid(failures: Failure[]): HttpProblem {
  const errors = worthNaming(failures).map((failure) => ({ ...failure, pointer: `#${failure.pointer}` }));
  const detail = `Validation failed: ${errors
    .slice(0, 10)
    .map(({ pointer, detail }) => `${pointer.slice(2).replace(/\//g, '.')}: ${detail}`)
    .join('; ')}${errors.length > 10 ? '; …' : ''}`;
  return new HttpProblem(400, detail, { errors });
}

function worthNaming(failures: Failure[]): Failure[] {
  let room = MAX_FAILURES_LENGTH;
  const named = failures.slice(0, MAX_FAILURES).filter(({ pointer, detail }) => {
    room -= pointer.length + detail.length;
    return room >= 0;
  });
  if (named.length > 0) return named;
  const [{ pointer, rule, detail }] = failures;
  return [{ pointer: pointer.slice(0, 1_000), rule, detail: `${detail.slice(0, 1_000)}…` }];
}

/**
 * Runs the user's own checks where they ask for it; they refuse in every validation mode. They see the hub version,
 * the client is told of the fields of `version`.
 */
export async function checkCustom(
  { kind, req }: Call,
  resource: Resource,
  current: Resource | undefined,
  version: string,
): Promise<void> {
  const { validate, validateOn = ['create'] } = kind.hooks;
  const operation = current === undefined ? 'create' : 'update';
  if (validate === undefined || !validateOn.includes(operation)) return;
  const failures = (await validate(resource, { operation, current, request: req })) ?? [];
  if (failures.length === 0) return;
  const { converter } = kind.versions[version];
  const place = (pointer: string): string => converter?.toSpokePointer(pointer) ?? pointer;
  throw invalid(
    failures.map(({ pointer = '', detail }) => ({ pointer: place(pointer), rule: 'custom', detail })),
  );
}
