import type { Preserved } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { Service } from '../../service/service';
import type { StoredSnapshot } from '../../store/store';
import type { RequestContext } from '../request/request-context';
import type { WriteContext } from './data-part';

/** An endpoint of a service. */
export type Endpoint = (service: Service, context: RequestContext) => void | Promise<void>;

/**
 * The snapshots of resources and their endpoints (specification, "Endpoints" 9 to 11), which the feature `history`
 * adds.
 */
export interface HistoryPart {
  listVersions: Endpoint;
  getVersion: Endpoint;
  deleteVersion: Endpoint;
  /** Returns the snapshot of a resource that is written; its status has the id of the one before. */
  record(service: Service, context: WriteContext, resource: Resource, preserved: Preserved): StoredSnapshot;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service none of whose kinds has spec version history. */
    history?: HistoryPart;
  }
}
