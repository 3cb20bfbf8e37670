import type { Service } from '../../service/service';
import type { RequestContext } from '../request/request-context';

/** An endpoint of a service. */
export type Endpoint = (service: Service, call: RequestContext) => void | Promise<void>;

/** The endpoints of snapshots (requirement, "Endpoints" 9 to 11), which the feature `history` adds. */
export interface HistoryPart {
  listVersions: Endpoint;
  getVersion: Endpoint;
  deleteVersion: Endpoint;
}

declare module '../../service/service' {
  interface Additions {
    /** Absent in a service none of whose kinds has spec version history. */
    history?: HistoryPart;
  }
}
