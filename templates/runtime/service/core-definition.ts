import type { GroupDefinition, SecurityScheme } from '../model/kinds/kind';
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
  /** Accepted security schemes, any one of which suffices; absent where none is required. */
  security?: readonly SecurityScheme[];
  /** The kinds of databases that DATABASE_URL may name. */
  databases: readonly Database[];
  groups: GroupDefinition[];
}
