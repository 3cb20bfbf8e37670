import { UPGRADED } from '../../store';
import { MIGRATIONS } from './migrations';

/**
 * Fails the transaction where a newer service has migrated the schema, with an error whose message contains UPGRADED.
 * Until the end of the transaction, nobody can migrate it: `migrate` locks the table.
 */
export const CURRENT_SCHEMA = `SELECT ('${UPGRADED} to schema ' || version)::integer FROM svcgen_schema WHERE version > ${MIGRATIONS.length}`;
