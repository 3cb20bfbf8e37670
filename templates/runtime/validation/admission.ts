import { addWarnings } from '../http/responses/respond';
import { fillDefaults, normalise } from '../model/fields/normal-form';
import { same } from '../model/fields/values';
import { toFragment } from '../model/fragment';
import { type KindDefinition, partShape } from '../model/kinds/kind';
import { type Judge, type Part, type PartWrite, versioningOf } from '../model/kinds/versioning';
import { type Failure, HttpProblem, MAX_FAILURES } from '../model/problem';
import type { Resource } from '../model/resource';
import { beginValidation } from '../model/rules/pattern-steps';
import type { JsonObject } from '../model/schema';
import { validateFields } from './field-rules';
import { unchangedIn } from './ratcheting';

/** Approximate maximum length of the failures in one response: a name may be as long as a body, a rule as project.yaml. */
const MAX_FAILURES_LENGTH = 65_536;

/**
 * Prepares a client's part for storage, in place: nulls of declared fields removed, defaults filled in. Returns every
 * failed rule of the version. A value that the client sends back unchanged, as in `before`, is accepted: it may have
 * been written under looser rules, those of another version or of an earlier storage version. Where validation is not
 * strict, the storage version reports it. A field that is missing as before is not accepted where `isFirst` returns true.
 */
export function admit(
  { settings, definition }: Judge,
  kind: KindDefinition,
  write: PartWrite,
  before: JsonObject | undefined,
  isFirst: () => boolean = () => false,
): Failure[] {
  const { version, part, fields } = write;
  normalise(partShape(kind, version, part), fields);
  const isHub = version === kind.storageVersion;
  const isReported = isHub && definition.validation !== 'strict';
  const isUnchanged = unchanged(kind, write, isReported ? undefined : before);
  const isSupplied = isHub ? undefined : versioningOf(kind).suppliedIn(kind, write);
  let first: boolean | undefined;
  return complete(settings, kind, write, (failure) => {
    if (isSupplied?.(failure) === true) return true;
    return isUnchanged(failure) && !(failure.rule === 'required' && (first ??= isFirst()));
  });
}

/** Returns a predicate for failures: true for values that are as in `before`, the part as the version showed it. */
export function unchanged(
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  before: JsonObject | undefined,
): (failure: Failure) => boolean {
  if (before === undefined) return () => false;
  return unchangedIn(fields, before, partShape(kind, version, part));
}

/** Returns a part of a resource in a version that has the defaults of its fields, and nothing else. */
export function defaultsOf(kind: KindDefinition, version: string, part: Part): JsonObject {
  const fields: JsonObject = {};
  fillDefaults(partShape(kind, version, part), fields);
  return fields;
}

/**
 * Returns true for a status that has not been written: it has only defaults, which may lack required fields. Defaults that
 * were declared after the create, or by another storage version, may be missing in it.
 */
export function isFirstStatus(kind: KindDefinition, { status = {} }: Pick<Resource, 'status'>): boolean {
  const first = defaultsOf(kind, kind.storageVersion, 'status');
  const { version: _, ...observed } = status;
  const written = kind.history === undefined ? status : observed;
  if (!Object.keys(written).every((name) => Object.hasOwn(first, name))) return false;
  const filled = structuredClone(written);
  fillDefaults(partShape(kind, kind.storageVersion, 'status'), filled);
  return same(filled, first);
}

/**
 * Fills in the defaults of a part, in place. Returns every failed rule of the version, but those that `isAccepted`
 * accepts. Throws HttpProblem 413 for too many defaults.
 */
export function complete(
  settings: Judge['settings'],
  kind: KindDefinition,
  { version, part, fields }: PartWrite,
  isAccepted: (failure: Failure) => boolean,
): Failure[] {
  const shape = partShape(kind, version, part);
  fillDefaults(shape, fields, settings.MAX_PATCHED_BYTES);
  beginValidation(settings.MAX_PATTERN_STEPS);
  const { validateSpec, validateStatus } = kind.versions[version];
  const validator = part === 'spec' ? validateSpec : validateStatus;
  return validateFields(validator, shape, fields, `/${part}`, isAccepted);
}

/**
 * Treats failures by the service's validation mode: `strict` throws HttpProblem 400 with all of them, `warn` adds them
 * to the warnings of the response, `disabled` ignores them. `firm` ones are refused in every mode.
 */
export function judge(
  { validation }: Judge['definition'],
  failures: Failure[],
  warnings: string[],
  firm: readonly Failure[] = [],
): void {
  if (firm.length > 0) throw invalid(validation === 'strict' ? [...failures, ...firm] : [...firm]);
  if (failures.length === 0 || validation === 'disabled') return;
  if (validation === 'strict') throw invalid(failures);
  // The requested version and the storage version each report their failures, in one header.
  addWarnings(
    warnings,
    failures.map(({ pointer, detail }) => `${pointer}: ${detail}`),
  );
}

/** Returns the 400 problem with every failure; its detail names the fields, for people. */
export function invalid(failures: Failure[]): HttpProblem {
  const named = worthNaming(failures);
  const errors = named.map((failure) => ({ ...failure, pointer: toFragment(failure.pointer) }));
  const detail = `Validation failed: ${named
    .slice(0, 10)
    .map(({ pointer, detail }) => `${pointer.slice(1).replace(/\//g, '.')}: ${detail}`)
    .join('; ')}${named.length > 10 ? '; …' : ''}`;
  return new HttpProblem(400, detail, { errors });
}

function worthNaming(failures: Failure[]): Failure[] {
  let room = MAX_FAILURES_LENGTH;
  const named = failures.slice(0, MAX_FAILURES).filter(({ pointer, rule, detail }) => {
    room -= pointer.length + rule.length + detail.length;
    return room >= 0;
  });
  if (named.length > 0) return named;
  const [{ pointer, rule, detail }] = failures;
  const [place, broken, why] = [pointer, rule, detail].map((text) => text.slice(0, 1_000));
  return [{ pointer: place, rule: broken, detail: why === detail ? why : `${why}…` }];
}
