import { createHash } from 'node:crypto';
import type { Labels, Requirement } from '../../../model/selectors/selector';
import { allOf, type Condition } from '../../condition';
import { escaped } from '../../label-text';

/** An entry of a GIN index must fit on a third of a page. */
const LONGEST_TOKEN = 500;

/**
 * Returns the tokens of labels in the index: two for each, one of its key and one of both key and value. They begin
 * with the kind, so that other kinds with the same labels are not looked at. Tabs and line feeds are escaped in keys
 * and values.
 */
export function labelTokens(kind: number, labels: Labels): string[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    labelToken(kind, key),
    labelToken(kind, key, value),
  ]);
}

/** Returns the token of this key, and of this value if any; a long one is replaced by its digest. */
export function labelToken(kind: number, key: string, value?: string): string {
  const text = [String(kind), escaped(key), ...(value === undefined ? [] : [escaped(value)])].join('\t');
  return text.length <= LONGEST_TOKEN ? text : `${kind}\r${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Returns the condition of a selector on the tokens of resources `r` of a kind, which uses the index. Tokens name the
 * kind: a second condition on it would only mislead the planner.
 */
export function labelCondition(kind: number, selector: readonly Requirement[]): Condition<unknown> {
  const all: string[] = [];
  const none: string[] = [];
  const some: string[][] = [];
  for (const requirement of selector) {
    const tokens = tokensOf(kind, requirement);
    if (requirement.operator === 'absent' || requirement.operator === 'notin') none.push(...tokens);
    else if (tokens.length === 1) all.push(...tokens);
    else some.push(tokens);
  }
  return allOf<unknown>([
    ...(all.length + some.length === 0 ? [{ sql: 'r.kind = ?', parameters: [kind] }] : []),
    ...(all.length > 0 ? [{ sql: 'r.labels @> ?::text[]', parameters: [all] }] : []),
    ...some.map((tokens) => ({ sql: 'r.labels && ?::text[]', parameters: [tokens] })),
    ...(none.length > 0 ? [{ sql: 'NOT r.labels && ?::text[]', parameters: [none] }] : []),
  ]);
}

/** Returns the tokens that a requirement is about. */
export function tokensOf(kind: number, { key, operator, values }: Requirement): string[] {
  if (operator === 'exists' || operator === 'absent') return [labelToken(kind, key)];
  return values.map((value) => labelToken(kind, key, value));
}
