import type { Request, Response } from 'express';
import type { RequestContext } from '../../api/request/request-context';
import { cutOff } from '../../http/responses/cut-off';
import { asProblem, sendJson } from '../../http/responses/respond';
import type { KindDefinition } from '../../model/kinds/kind';
import type { Failure, HttpProblem } from '../../model/problem';
import type { Subject } from '../face/face';
import { causeOf } from './cause';
import { conflict, type Details, detailsOf, invalidObject, KubernetesProblem, named } from './problem';

/** The response to a request that has failed: `Status` of Kubernetes' API conventions. */
interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: object;
  status: 'Failure';
  message: string;
  reason: string;
  details: Details | undefined;
  code: number;
}

/** Returns the Status of an error. */
export function statusOf(error: unknown, subject: Subject): Status {
  const { status: code, reason, detail: message, details } = kubernetesProblem(asProblem(error), subject);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details,
    code,
  };
}

/** Sends the Status of a request that has succeeded and returns no object. */
export function sendSuccess({ req, res, warnings }: RequestContext, details: Details): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  sendJson(req, res, 200, status, warnings);
}

/** Sends the Status of an error. A response that has begun is cut off. */
export function sendFailure(req: Request, res: Response, error: unknown, subject: Subject): void {
  if (res.headersSent) {
    cutOff(req, res);
    return;
  }
  const status = statusOf(error, subject);
  for (const [name, value] of Object.entries(asProblem(error).extras.headers ?? {}))
    res.setHeader(name, value);
  res.setHeader('Cache-Control', 'no-store');
  sendJson(req, res, status.code, status, subject.warnings);
}

function kubernetesProblem(problem: HttpProblem, subject: Subject): KubernetesProblem {
  if (problem instanceof KubernetesProblem) return problem;
  const { kind, name = '' } = subject;
  const { status, detail, extras } = problem;
  const failed = (message: string, details: Details): KubernetesProblem =>
    new KubernetesProblem(status, message, details);
  if (kind === undefined) return failed(detail, {});
  if (extras.errors !== undefined) return withFailures(kind, subject, status, extras.errors);
  const details = detailsOf(kind, name);
  switch (status) {
    case 403:
      return failed(
        `${named(kind, name)} is forbidden: ${detail.replace(/^Forbidden(?: - |: )?/, '')}`,
        details,
      );
    case 404:
      return failed(`${named(kind, name)} not found`, details);
    case 409:
      return conflict(kind, name, [detail, ...referrersIn(extras)].join(': '));
    case 422:
      return failed(`the server rejected our request due to an error in our request: ${detail}`, {});
    case 503:
      return failed(detail, { ...details, retryAfterSeconds: Number(extras.headers?.['Retry-After'] ?? 1) });
    default:
      return failed(detail, details);
  }
}

/** Returns what refers to an object that cannot be deleted, as one text; none where the problem names nothing. */
function referrersIn({ referrers = [] }: HttpProblem['extras']): string[] {
  const texts = referrers.map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`);
  return texts.length === 0 ? [] : [[...new Set(texts)].join(', ')];
}

/** Returns the problem of a request that breaks rules of fields. A name that is taken has a reason of its own. */
function withFailures(
  kind: KindDefinition,
  { name = '', sent = {} }: Subject,
  status: number,
  failures: Failure[],
): KubernetesProblem {
  if (status === 409 && failures.some(({ pointer }) => pointer === '#/metadata/name')) {
    const message = `${named(kind, name)} already exists`;
    return new KubernetesProblem(status, message, detailsOf(kind, name), { reason: 'AlreadyExists' });
  }
  const causes = failures.map((failure) => causeOf(failure, sent));
  return invalidObject(kind, name, causes);
}
