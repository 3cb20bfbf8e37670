import type { JsonObject } from '../model/schema';

/** The manager of fields that a request writes as. */
export interface FieldManager {
  name: string;
  /** Set for a server-side apply. */
  applied?: {
    /** The fields that the manager wants to own, as a resource of the version that it speaks. */
    wanted: JsonObject;
    /** True for a manager that takes over the fields of others. */
    force: boolean;
  };
  /** The `managedFields` that a client has sent with its object. */
  sent?: JsonObject[];
}

/** Maximum length of the name of a manager. */
export const LONGEST_MANAGER = 128;

declare module '../api/request/request-context' {
  interface RequestContext {
    /** Set for a client that names the manager of the fields that it writes. */
    manager?: FieldManager;
  }
}
