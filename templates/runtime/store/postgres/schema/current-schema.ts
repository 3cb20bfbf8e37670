import type { Declared } from '../../declared';
import { OTHER_DECLARATIONS, UPGRADED } from '../../store';
import { MIGRATIONS } from './migrations';

/**
 * Fails the transaction where a newer service has migrated the schema so that this one cannot write, with an error whose message
 * contains UPGRADED. Until the end of the transaction, nobody can migrate it: `migrate` locks the table.
 */
export const CURRENT_SCHEMA = `SELECT ('${UPGRADED} to schema ' || version)::integer FROM svcgen_schema WHERE writers > ${MIGRATIONS.length}`;

/**
 * Returns what fails the transaction, after `CURRENT_SCHEMA`, where a process of another release makes the entries of these
 * kinds: with an error whose message has them after OTHER_DECLARATIONS. Nobody can make entries anew until the end of
 * the transaction: `rebuild` locks the table of resources.
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
