import type { Request } from 'express';
import { fillDefaults, normalise } from './fields';
import type { KindDefinition, KindVersion, ServiceDefinition } from './kind';
import { HttpProblem, type Failure } from './problem';
import { warning } from './respond';
import type { Resource } from './resource';
import type { JsonObject } from './schema';
import { validateFields } from './validation';

/** How many failures one answer names, and in about how many characters: a name may be as long as a body. */
const MAX_FAILURES = 100;
const MAX_FAILURES_LENGTH = 65_536;
/** Headers are bounded: a client's parser gives up at about 16 KiB of them. */
const MAX_WARNING_BYTES = 8_192;

/** Nulls of declared fields removed, defaults filled in, then every failed rule of the spec. */
export function admitSpec(version: KindVersion, spec: JsonObject): Failure[] {
  normalise(version.spec, version.types, spec);
  fillDefaults(version.spec, version.types, spec);
  return validateFields(version.validateSpec, version.spec, version.types, spec, '/spec');
}

/** The same for a status. */
export function admitStatus(version: KindVersion, status: JsonObject): Failure[] {
  normalise(version.status, version.types, status);
  fillDefaults(version.status, version.types, status);
  return validateFields(version.validateStatus, version.status, version.types, status, '/status');
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

/** Runs the user's own checks where they ask for it; they refuse in every validation mode. */
export async function checkCustom(
  kind: KindDefinition,
  resource: Resource,
  current: Resource | undefined,
  request: Request,
): Promise<void> {
  const { validate, validateOn = ['create'] } = kind.hooks;
  const operation = current === undefined ? 'create' : 'update';
  if (validate === undefined || !validateOn.includes(operation)) return;
  const failures = (await validate(resource, { operation, current, request })) ?? [];
  if (failures.length === 0) return;
  throw invalid(failures.map(({ pointer = '', detail }) => ({ pointer, rule: 'custom', detail })));
}
