import type { Security } from '../http/security/guard';
import type { GroupDefinition } from '../model/kinds/kind';
import type { Database } from '../store/database';

/** The service as data, without its optional parts. */
export interface CoreDefinition {
  name: string;
  /** Treatment of failed field rules (specification, "What the service does" 4). */
  validation: 'strict' | 'warn' | 'disabled';
  /** True if PUT, PATCH and DELETE without If-Match get 428. */
  requireIfMatch: boolean;
  /** The Cache-Control header of GET responses. */
  cacheControl: string;
  /** Absent where callers need not identify themselves. */
  security?: Security;
  /** The kinds of databases that DATABASE_URL may name. */
  databases: readonly Database[];
  groups: GroupDefinition[];
}
