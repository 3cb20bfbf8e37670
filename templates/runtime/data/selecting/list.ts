import type { ListSelection, SelectionParameters } from '../../api/reads/list-selection';
import { collectionOf } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Sort } from '../../store/store';
import { selectableIn } from '../plan/kind-plan';
import { ListCursors } from './cursor';
import { namedField, type Words } from './named-field';
import { fieldRequirements } from './requirements';

/**
 * Returns the part of a list that a request asks for, in the words of a version; undefined for a kind without selectable
 * fields. Throws HttpProblem 400.
 */
export function listSelection(words: Words, parameters: SelectionParameters): ListSelection | undefined {
  const { kind, version } = words;
  if (selectableIn(kind.data!, kind.storageVersion).length === 0) return undefined;
  const { selector, cursor } = parameters;
  const fields = fieldRequirements(words, parameters.fieldSelectors);
  const sort = parameters.sort === undefined ? undefined : parseSort(words, parameters.sort);
  const sortType = selectableIn(kind.data!, version).find(({ index }) => index === sort?.index)?.type;
  const cursors = new ListCursors({ kind: collectionOf(kind), version, selector, fields, sort, sortType });
  const position = cursor === undefined ? { after: 0 } : cursors.decode(cursor);
  return {
    query: { selector, ...position, ...(fields.length > 0 && { fields }), ...(sort && { sort }) },
    revealsContent: selector.length + fields.length > 0 || sort?.index !== undefined,
    cursorAt: (after) => cursors.encode(after),
  };
}

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
