import { plainText } from '../../model/fields/values';
import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import { isObject, type Json, type JsonObject } from '../../model/schema';

/** The machine-readable reasons of a Status, by its code. */
const REASONS: { [status: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  412: 'Conflict',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** One failed field of a Status. */
export interface Cause {
  reason: string;
  message: string;
  /** Such as `spec.ports[0].number`. */
  field?: string;
}

/** The subject of a Status, and what is wrong with it. */
export interface Details {
  name?: string;
  group?: string;
  /** The plural of the kind; the kind itself in an Invalid one. */
  kind?: string;
  uid?: string;
  causes?: Cause[];
  retryAfterSeconds?: number;
}

/** An error that says itself how Kubernetes clients see it. */
export class KubernetesProblem extends HttpProblem {
  readonly reason: string;

  /** `reason` is that of the status unless it is given. */
  constructor(
    status: number,
    message: string,
    readonly details?: Details,
    {
      reason = REASONS[status] ?? '',
      headers,
    }: { reason?: string; headers?: { [name: string]: string } } = {},
  ) {
    super(status, message, { headers });
    this.reason = reason;
  }
}

/** Returns the problem of a path that nothing is at. */
export function unknownPath(): KubernetesProblem {
  return new KubernetesProblem(404, 'the server could not find the requested resource', {});
}

/** Returns the problem of a request that accepts no form that there is. */
export function notAcceptable(): KubernetesProblem {
  return new KubernetesProblem(
    406,
    'only the following media types are accepted: application/json, application/json;as=Table;v=v1;g=meta.k8s.io',
  );
}

/** Returns the problem of a malformed request. */
export function badRequest(message: string): KubernetesProblem {
  return new KubernetesProblem(400, message);
}

/** Returns the problem of an object that has another name than its URL. */
export function otherName(name: Json, inUrl: string): KubernetesProblem {
  return badRequest(
    `the name of the object (${plainText(name)}) does not match the name on the URL (${inUrl})`,
  );
}

/** Returns the problem of an object without a name. */
export function withoutName(inUrl: string): KubernetesProblem {
  return badRequest(
    `the name of the object (${inUrl} based on URL) was undeterminable: name must be provided`,
  );
}

/** Returns a value that a client sent as an object. Throws a problem 400 for any other value; `subject` names it. */
export function anObject(subject: string, value: Json): JsonObject {
  if (isObject(value)) return value;
  throw badRequest(`${subject} must be an object`);
}

/** Returns the problem of a parameter that the request of a kind of options cannot have. */
export function invalidOption(
  kind: 'ListOptions' | 'PatchOptions',
  field: string,
  reason: 'Forbidden' | 'Invalid' | 'NotSupported' | 'Required',
  message: string,
): KubernetesProblem {
  return invalidObject({ kind, group: 'meta.k8s.io' }, '', [
    { reason: `FieldValue${reason}`, message, field },
  ]);
}

/** Returns the problem of a write of an object that somebody else has changed. */
export function modified(kind: KindDefinition, name: string): KubernetesProblem {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(kind, name, why);
}

/** Returns the problem of a write that the present state of an object forbids. */
export function conflict(kind: KindDefinition, name: string, why: string): KubernetesProblem {
  const message = `Operation cannot be fulfilled on ${named(kind, name)}: ${why}`;
  return new KubernetesProblem(409, message, detailsOf(kind, name));
}

/** Returns the problem of an object with failed fields. */
export function invalidObject(
  { kind, group }: Pick<KindDefinition, 'kind' | 'group'>,
  name: string,
  causes: Cause[],
): KubernetesProblem {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const message = `${kind}.${group} ${JSON.stringify(name)} is invalid: ${list}`;
  const details = { ...(name !== '' && { name }), group, kind, causes };
  return new KubernetesProblem(422, message, details);
}

/** Returns an object as messages name it. */
export function named({ plural, group }: KindDefinition, name: string): string {
  return `${plural}.${group} ${JSON.stringify(name)}`;
}

/** Returns the details of a failure that is about an object. */
export function detailsOf({ plural, group }: KindDefinition, name: string): Details {
  return { ...(name !== '' && { name }), group, kind: plural };
}
