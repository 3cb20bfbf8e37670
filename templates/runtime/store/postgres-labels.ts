import { createHash } from 'node:crypto';
import type { Requirement } from '../selector';
import { escaped } from './label-text';
import type { ListQuery, Labels } from './store';
import type { PostgresQuery } from './postgres-connections';

/** An entry of a GIN index must fit on a third of a page. */
const LONGEST_TOKEN = 500;

/**
 * What the index has for labels: two tokens for each, one of its key and one of both. They begin with the kind, so
 * that other kinds with the same labels are not looked at. Tabs and line feeds are escaped in keys and values.
 */
export function labelTokens(kind: number, labels: Labels): string[] {
  return Object.entries(labels).flatMap(([key, value]) => [token(kind, key), token(kind, key, value)]);
}

/** A token with this key, and this value if any; a long one is replaced by its digest. */
function token(kind: number, key: string, value?: string): string {
  const text = [String(kind), escaped(key), ...(value === undefined ? [] : [escaped(value)])].join('\t');
  return text.length <= LONGEST_TOKEN ? text : `${kind}\r${createHash('sha256').update(text).digest('hex')}`;
}

/** The query for a page of resources. A selector becomes conditions on the tokens, which the index answers. */
export function listQuery(kind: number, { after, limit, selector }: ListQuery): PostgresQuery {
  const all: string[] = [];
  const none: string[] = [];
  const some: string[][] = [];
  for (const requirement of selector) {
    const tokens = tokensOf(kind, requirement);
    if (requirement.operator === 'absent' || requirement.operator === 'notin') none.push(...tokens);
    else if (tokens.length === 1) all.push(...tokens);
    else some.push(tokens);
  }
  const values: unknown[] = [after];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    'id > $1',
    // Tokens tell the kind: to ask for it again would only mislead the planner.
    ...(all.length + some.length === 0 ? [`kind = ${bind(kind)}`] : []),
    ...(all.length > 0 ? [`labels @> ${bind(all)}::text[]`] : []),
    ...some.map((tokens) => `labels && ${bind(tokens)}::text[]`),
    ...(none.length > 0 ? [`NOT labels && ${bind(none)}::text[]`] : []),
  ];
  return {
    // One with a selector has no name: the server is to plan it with the labels asked for.
    ...(selector.length === 0 ? { name: 'list' } : {}),
    text: `SELECT id, uid, revision, version, text, etag, kept FROM resources
           WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ${bind(Number.isFinite(limit) ? limit : null)}`,
    values,
  };
}

function tokensOf(kind: number, { key, operator, values }: Requirement): string[] {
  if (operator === 'exists' || operator === 'absent') return [token(kind, key)];
  return values.map((value) => token(kind, key, value));
}
