import { LARGE, turnOfLarge } from '../concurrency/large-work';
import { storedCost } from '../http/request/json-body';
import { parseQuery } from '../http/request/query';
import { unknownParameters } from '../http/responses/respond';
import type { PolicyMethods } from '../model/kinds/kind';
import { HttpProblem } from '../model/problem';
import type { Resource } from '../model/resource';
import type { Service } from '../service/service';
import { lengthOf } from '../store/stored-resource';
import type { Endpoint } from './parts/history-part';
import { list } from './reads/listing';
import { get, lookUp } from './reads/reading';
import { hubOf } from './reads/representation';
import { authorise, isAsked } from './request/access';
import type { Handler, MethodTable, RequestContext } from './request/request-context';
import { create } from './writes/creating';
import { remove } from './writes/delete-resource';
import * as status from './writes/status-endpoints';
import * as writing from './writes/writing';

/** The eleven endpoints of a kind (specification, "Endpoints"). */
export interface ResourceEndpoints {
  create: Handler;
  list: Handler;
  get: Handler;
  replace: Handler;
  patch: Handler;
  remove: Handler;
  replaceStatus: Handler;
  patchStatus: Handler;
  listVersions: Handler;
  getVersion: Handler;
  deleteVersion: Handler;
}

/** The routes of a kind, below each of its URLs. */
export interface KindRoutes {
  /** `/<plural>` */
  collection: MethodTable;
  /** `/<plural>/{uid}` */
  item: MethodTable;
  /** `/<plural>/{uid}/status` */
  status: MethodTable;
  /** `/<plural>/{uid}/versions`; only with spec version history. */
  versions?: MethodTable;
  /** `/<plural>/{uid}/versions/{versionId}` */
  version?: MethodTable;
}

/** The policy method that authorises an endpoint. */
type Ask = keyof PolicyMethods<Resource>;

/** Returns the endpoints of one service; they serve every kind. */
export function resourceEndpoints(service: Service): ResourceEndpoints {
  const on = (ask: Ask, endpoint: Endpoint, readQuery = warnOfParameters): Handler => {
    return (context) => {
      if (context.query !== '' && endpoint !== list) readQuery(context);
      return isAsked(context, ask)
        ? refusedFirst(service, context, ask, endpoint)
        : endpoint(service, context);
    };
  };
  const onWrite = (ask: Ask, endpoint: Endpoint): Handler => on(ask, endpoint, readWriteQuery);
  return {
    create: onWrite('canCreate', create),
    list: on('canList', list),
    get: on('canGet', get, (context) => warnOfParameters(context, ['expand'])),
    replace: onWrite('canUpdate', writing.replace),
    patch: onWrite('canUpdate', writing.applyPatch),
    remove: onWrite('canDelete', remove),
    replaceStatus: onWrite('canUpdateStatus', status.replaceStatus),
    patchStatus: onWrite('canUpdateStatus', status.patchStatus),
    listVersions: on('canGet', ofHistory('listVersions'), (context) =>
      warnOfParameters(context, ['limit', 'continue', 'sort']),
    ),
    getVersion: on('canGet', ofHistory('getVersion')),
    deleteVersion: onWrite('canUpdate', ofHistory('deleteVersion')),
  };
}

/** Returns an endpoint of the feature `history`: only kinds with spec version history have a route to it. */
function ofHistory(name: 'listVersions' | 'getVersion' | 'deleteVersion'): Endpoint {
  return (service, context) => service.history![name](service, context);
}

/** Statuses for which a caller whom the policy refuses gets 403 instead. */
const AFTER_403 = [404, 406, 413, 415];

async function refusedFirst(
  service: Service,
  context: RequestContext,
  ask: Ask,
  endpoint: Endpoint,
): Promise<void> {
  try {
    await endpoint(service, context);
  } catch (error) {
    if (error instanceof HttpProblem && AFTER_403.includes(error.status)) {
      await service.memory.spend('stored', context.res, {
        read: () => lookUp(service, context),
        cost: (stored) => (stored === undefined ? 0 : storedCost(stored)),
        action: async (stored) => {
          if (stored !== undefined && lengthOf(stored) >= LARGE) await turnOfLarge();
          await authorise(context, ask, stored && hubOf(context.kind, stored));
        },
      });
    }
    throw error;
  }
}

/** The meanings of the values of `dryRun`. */
const DRY_RUN = new Map([
  ['true', true],
  ['All', true],
  ['false', false],
]);

/**
 * Reads the query of a request that writes: `dryRun`, and warnings about all other parameters. Throws HttpProblem 400
 * for another value of `dryRun`, and for several that disagree, so that a misspelt dry run never writes.
 */
function readWriteQuery(context: RequestContext): void {
  const values = parseQuery(context.query).get('dryRun') ?? [];
  const meanings = new Set(values.map((value) => DRY_RUN.get(value)));
  if (meanings.size > 1 || meanings.has(undefined))
    throw new HttpProblem(
      400,
      'The query parameter "dryRun" must be true, All or false; nothing was written.',
    );
  context.dryRun = meanings.has(true);
  warnOfParameters(context, ['dryRun']);
}

/** Warns of the query parameters that an endpoint does not have: all but those in `known`. */
function warnOfParameters({ query, warnings }: RequestContext, known: readonly string[] = []): void {
  const unknown = [...parseQuery(query).keys()].filter((name) => !known.includes(name));
  warnings.push(...unknownParameters(unknown));
}
