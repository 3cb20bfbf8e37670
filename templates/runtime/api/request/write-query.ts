import { parseQuery } from '../../http/request/query';
import { unknownParameters } from '../../http/responses/respond';
import { HttpProblem } from '../../model/problem';
import type { RequestContext } from './request-context';

const DRY_RUN = 'dryRun';

/** The meanings of the values of `dryRun`. */
const VALUES = new Map([
  ['true', true],
  ['All', true],
  ['false', false],
]);

/**
 * Reads the query of a request that writes: `dryRun`, and warnings about all other parameters. Throws HttpProblem 400
 * for another value of `dryRun`, and for several that disagree, so that a misspelt dry run never writes.
 */
export function readWriteQuery(context: RequestContext): void {
  const { [DRY_RUN]: values = [], ...others } = Object.fromEntries(parseQuery(context.query));
  const meanings = new Set(values.map((value) => VALUES.get(value)));
  if (meanings.size > 1 || meanings.has(undefined))
    throw new HttpProblem(
      400,
      'The query parameter "dryRun" must be true, All or false; nothing was written.',
    );
  context.dryRun = meanings.has(true);
  context.warnings.push(...unknownParameters(Object.keys(others)));
}
