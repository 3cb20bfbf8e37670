import type { Call, Handler, MethodTable } from './call';
import * as history from './history-endpoints';
import { list } from './listing';
import { parseQuery } from './query';
import { get } from './reading';
import { unknownParameter } from './respond';
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

/** The endpoints of one service; they serve every kind. */
export function resourceEndpoints(service: Service): ResourceEndpoints {
  const on = (endpoint: Endpoint): Handler => {
    return (call) => {
      if (call.query !== '' && endpoint !== list) warnOfParameters(call);
      return endpoint(service, call);
    };
  };
  return {
    create: on(writing.create),
    list: on(list),
    get: on(get),
    replace: on(writing.replace),
    patch: on(writing.applyPatch),
    remove: on(writing.remove),
    replaceStatus: on(status.replaceStatus),
    patchStatus: on(status.patchStatus),
    listVersions: on(history.listVersions),
    getVersion: on(history.getVersion),
    deleteVersion: on(history.deleteVersion),
  };
}

/** Lists alone have query parameters. */
function warnOfParameters({ query, warnings }: Call): void {
  warnings.push(...[...parseQuery(query).keys()].slice(0, 10).map(unknownParameter));
}
