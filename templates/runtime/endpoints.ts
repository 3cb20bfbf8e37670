import { authorise, isAsked } from './access';
import type { Call, Handler, MethodTable } from './call';
import * as history from './history-endpoints';
import type { Policy } from './kind';
import { list } from './listing';
import { HttpProblem } from './problem';
import { parseQuery } from './query';
import { get, lookUp } from './reading';
import { hubOf } from './representation';
import type { Resource } from './resource';
import { unknownParameters } from './respond';
import type { Service } from './service';
import * as status from './status-endpoints';
import * as writing from './writing';

/** The eleven endpoints of a kind (requirement, "Endpoints"). */
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

type Endpoint = (service: Service, call: Call) => void | Promise<void>;

/** What the policy is asked for an endpoint. */
type Ask = keyof Policy<Resource>;

/** The endpoints of one service; they serve every kind. */
export function resourceEndpoints(service: Service): ResourceEndpoints {
  const on = (ask: Ask, endpoint: Endpoint): Handler => {
    return (call) => {
      if (call.query !== '' && endpoint !== list) warnOfParameters(call);
      return isAsked(call, ask) ? refusedFirst(service, call, ask, endpoint) : endpoint(service, call);
    };
  };
  return {
    create: on('canCreate', writing.create),
    list: on('canList', list),
    get: on('canGet', get),
    replace: on('canUpdate', writing.replace),
    patch: on('canUpdate', writing.applyPatch),
    remove: on('canDelete', writing.remove),
    replaceStatus: on('canUpdateStatus', status.replaceStatus),
    patchStatus: on('canUpdateStatus', status.patchStatus),
    listVersions: on('canGet', history.listVersions),
    getVersion: on('canGet', history.getVersion),
    deleteVersion: on('canUpdate', history.deleteVersion),
  };
}

/** A caller whom the policy refuses gets 403 also where another could not be answered for one of these reasons. */
const AFTER_403 = [404, 406, 413, 415];

async function refusedFirst(service: Service, call: Call, ask: Ask, endpoint: Endpoint): Promise<void> {
  try {
    await endpoint(service, call);
  } catch (error) {
    if (error instanceof HttpProblem && AFTER_403.includes(error.status)) {
      const stored = await lookUp(service, call);
      await authorise(call, ask, stored && hubOf(call.kind, stored));
    }
    throw error;
  }
}

/** Lists alone have query parameters. */
function warnOfParameters({ query, warnings }: Call): void {
  warnings.push(...unknownParameters([...parseQuery(query).keys()]));
}
