import { HttpProblem } from '../../model/problem';
import type { Sort } from '../../store/store';
import { selectableIn } from '../plan/kind-plan';
import { namedField, type Words } from './named-field';

const CREATED_AT = 'metadata.createdAt';

/**
 * Parses the order of a list in the words of a version: one selectable field that is not a list, `spec.price` or
 * `-spec.price`, and `,-metadata.createdAt` after it for resources with the same value. Returns undefined for the order of
 * creation. Throws HttpProblem 400.
 */
export function parseSort(words: Words, text: string): Sort | undefined {
  const [first, ...others] = text.split(',').map((part) => part.trim());
  const descending = first.startsWith('-');
  const name = descending ? first.slice(1) : first;
  const fields = selectableIn(words.kind.data!, words.version).filter(({ isList }) => !isList);
  const { index } = namedField(name, fields, { ...words, parameter: 'sort', sort: 'sortable field' });
  if (others.length > 0 && (index === CREATED_AT || others.join() !== `-${CREATED_AT}`))
    throw new HttpProblem(
      400,
      `The query parameter "sort" takes one field, after which only ",-${CREATED_AT}" may follow.`,
    );
  const newestFirst = others.length > 0;
  if (index === CREATED_AT) return descending ? { descending } : undefined;
  return { index, ...(descending && { descending }), ...(newestFirst && { newestFirst }) };
}
