import type { Request, Response } from 'express';
import { asProblem, sendJson } from '../../http/responses/respond';
import type { KindDefinition } from '../../model/kinds/kind';
import { type Failure, HttpProblem } from '../../model/problem';
import type { Subject } from '../face/face';
import { causeOf } from './cause';
import {
  cannotBeFulfilled,
  type Details,
  detailsOf,
  invalidMessage,
  KubernetesProblem,
  named,
  type Reason,
} from './problem';

/** The response to a request that returns no object: `Status` of Kubernetes' API conventions. */
interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: object;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: Reason;
  details?: Details;
  code?: number;
}

const REASONS: { [status: number]: Reason } = {
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

/** Returns the Status of an error. */
export function statusOf(error: unknown, subject: Subject): Status {
  const problem = asProblem(error);
  const { code, reason, message, details } = failureOf(problem, subject);
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

/** Sends the Status of an error. A response that has begun is cut off. */
export function sendFailure(req: Request, res: Response, error: unknown, subject: Subject): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const status = statusOf(error, subject);
  for (const [name, value] of Object.entries(asProblem(error).extras.headers ?? {}))
    res.setHeader(name, value);
  res.setHeader('Cache-Control', 'no-store');
  sendJson(req, res, status.code!, status);
}

interface Failed {
  code: number;
  reason: Reason;
  message: string;
  details?: Details;
}

function failureOf(problem: HttpProblem, subject: Subject): Failed {
  const { kind, name = '' } = subject;
  const { status: code, detail, extras } = problem;
  if (problem instanceof KubernetesProblem)
    return { code, reason: problem.reason, message: detail, details: problem.details };
  const reason = REASONS[code] ?? '';
  if (kind === undefined) return { code, reason, message: detail, details: {} };
  if (extras.errors !== undefined) return withFailures(kind, subject, code, extras.errors);
  const details = detailsOf(kind, name);
  switch (code) {
    case 403: {
      const why = detail.replace(/^Forbidden(?: - |: )?/, '');
      return { code, reason, message: `${named(kind, name)} is forbidden: ${why}`, details };
    }
    case 404:
      return { code, reason, message: `${named(kind, name)} not found`, details };
    case 409: {
      const why = [detail, ...referrersIn(extras)].join(': ');
      return { code, reason, message: cannotBeFulfilled(kind, name, why), details };
    }
    case 422:
      return {
        ...{ code, reason, details: {} },
        message: `the server rejected our request due to an error in our request: ${detail}`,
      };
    case 503:
      return { code, reason, message: detail, details: { ...details, retryAfterSeconds: 1 } };
    default:
      return { code, reason, message: detail, details };
  }
}

/** Returns what refers to an object that cannot be deleted, as one text; none where the problem names nothing. */
function referrersIn({ referrers = [] }: HttpProblem['extras']): string[] {
  const texts = referrers.map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`);
  return texts.length === 0 ? [] : [[...new Set(texts)].join(', ')];
}

/** Returns the failure of a request that breaks rules of fields. A name that is taken has a reason of its own. */
function withFailures(kind: KindDefinition, subject: Subject, code: number, failures: Failure[]): Failed {
  const { name = '', sent = {} } = subject;
  const { group } = kind;
  if (code === 409 && failures.some(({ pointer }) => pointer === '#/metadata/name'))
    return {
      code,
      reason: 'AlreadyExists',
      message: `${named(kind, name)} already exists`,
      details: detailsOf(kind, name),
    };
  const causes = failures.map((failure) => causeOf(failure, sent));
  return {
    code: 422,
    reason: 'Invalid',
    message: invalidMessage(kind, name, causes),
    details: { name, group, kind: kind.kind, causes },
  };
}
