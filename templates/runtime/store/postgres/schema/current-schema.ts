import type { Declared } from '../../command';
import { OTHER_DECLARATIONS, UPGRADED } from '../../store';
import { MIGRATIONS } from './migrations';

/**
 * SQL that fails the transaction, with UPGRADED in the message, if a newer service has migrated the schema and this one
 * may no longer write. Until the end of the transaction, nobody can migrate it: `migrate` locks the table.
 */
export const CURRENT_SCHEMA = `SELECT ('${UPGRADED} to schema ' || version)::integer FROM svcgen_schema WHERE writers > ${MIGRATIONS.length}`;

/**
 * Returns SQL, to follow `CURRENT_SCHEMA`, that fails the transaction if a process of another release makes the entries
 * of these kinds. The message has the kinds after OTHER_DECLARATIONS. Nobody can rebuild entries until the end of the
 * transaction, since `rebuild` locks the table of resources.
 */
export function sameDeclarations(declared: Declared, kinds: readonly string[]): string {
  if (declared === undefined || kinds.length === 0) return '';
  const rows = [...new Set(kinds)].map((kind) => `(${literal(kind)}, ${literal(declared.get(kind) ?? '')})`);
  return `; LOCK TABLE resources IN ROW EXCLUSIVE MODE;
    SELECT ('${OTHER_DECLARATIONS} ' || string_agg(own.kind, ' ') || ' .')::integer
    FROM (VALUES ${rows.join(', ')}) own (kind, digest) LEFT JOIN index_states s USING (kind)
    WHERE coalesce(s.digest, '') <> own.digest HAVING count(*) > 0`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
