import { type MoreMembers, readMetadata } from '../../../../templates/runtime/api/request/metadata';
import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import { fillDefaults, normalise } from '../../../../templates/runtime/model/fields/normal-form';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Validator } from '../../../../templates/runtime/model/kinds/kind';
import type { Failure } from '../../../../templates/runtime/model/problem';
import { isObject, type Schema } from '../../../../templates/runtime/model/schema';
import { validateFields } from '../../../../templates/runtime/validation/field-rules';
import { unchangedIn } from '../../../../templates/runtime/validation/ratcheting';
import type { Draft } from '../../data/resource';
import { schemaErrors } from './schema-errors';

const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } };

/** The members of metadata that a user writes. */
const METADATA: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, labels: TEXTS, annotations: TEXTS },
  additionalProperties: false,
};

/** Returns the shape of what a user writes of a resource. The service makes the name of a new one that has none. */
export function draftShape({ spec, types }: ConsoleVersion, isNew = false): Shape {
  const metadata = isNew ? METADATA : { ...METADATA, required: ['name'] };
  const properties = { metadata, spec };
  return { schema: { type: 'object', properties, required: ['spec'], additionalProperties: false }, types };
}

/** Returns the shape of a status, without the member that the service writes in kinds with `history`. */
export function statusShape({ status, types }: ConsoleVersion, hasHistory: boolean): Shape {
  const { version: _, ...others } = status.properties ?? {};
  const written = hasHistory ? { ...status, properties: others } : status;
  const properties = { status: written };
  return {
    schema: { type: 'object', properties, required: ['status'], additionalProperties: false },
    types,
  };
}

/**
 * Returns the failures of a draft that are known without the service, in the service's words. Values that were so
 * `before` are accepted, as the service does.
 */
export function draftFailures(draft: Draft, details: ConsoleVersion, before: Draft | undefined): Failure[] {
  const shape = { schema: details.spec, types: details.types };
  return [...metadataFailures(draft), ...partFailures('spec', draft, before, shape)];
}

/** Returns the failures of a part of a draft, in the service's words. */
export function partFailures(
  part: 'spec' | 'status',
  draft: Draft,
  before: Draft | undefined,
  shape: Shape,
): Failure[] {
  const given = draft[part];
  if (!isObject(given)) return [{ pointer: `/${part}`, rule: 'type', detail: `${part} must be an object` }];
  const value = structuredClone(given);
  normalise(shape, value);
  fillDefaults(shape, value);
  const was = before?.[part];
  const isUnchanged = was === undefined ? () => false : unchangedIn(value, was, shape);
  return validateFields(validatorOf(shape), shape, value, `/${part}`, isUnchanged);
}

/** Members that the service alone checks: only one for Kubernetes clients has them. */
const LIFECYCLE: MoreMembers = {
  members: ['finalizers', 'ownerReferences', 'deletionTimestamp'],
  read: () => ({}),
};

function metadataFailures(draft: Draft): Failure[] {
  const failures: Failure[] = [];
  try {
    readMetadata(draft['metadata'], failures, ['name', 'generateName'], LIFECYCLE);
  } catch (error) {
    failures.push({ pointer: '/metadata/labels', rule: 'max', detail: (error as Error).message });
  }
  return failures;
}

function validatorOf(shape: Shape): Validator {
  const validator: Validator = (value) => {
    validator.errors = schemaErrors(shape, value as Draft);
    return validator.errors.length === 0;
  };
  return validator;
}
