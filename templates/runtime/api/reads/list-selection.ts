import { decodeCursor, encodeCursor, type ListParameters } from '../../http/request/query';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import type { ListQuery } from '../../store/store';

/** A position in a list: after the resource with this id, which in a list that is sorted by a field has this key. */
export type ListPosition = Pick<ListQuery, 'after' | 'afterKey'>;

/** The parameters that select resources of a list and order them. */
export type SelectionParameters = Pick<ListParameters, 'selector' | 'fieldSelectors' | 'sort' | 'cursor'>;

/** The resources that a request asks for, their order, and where its page starts. */
export interface ListSelection {
  query: Omit<ListQuery, 'limit'>;
  /** True if the members of the list, or their order, depend on the content of its resources. */
  revealsContent: boolean;
  /** Returns the cursor of a position. */
  cursorAt(position: ListPosition): string;
}

/** Returns the part of a list that a request asks for, in the words of a version. Throws HttpProblem 400. */
export function selectionOf(
  { data }: Pick<Service, 'data'>,
  kind: KindDefinition,
  version: string,
  parameters: SelectionParameters,
): ListSelection {
  const selection = kind.data && data?.selection(kind, version, parameters);
  return selection ?? plainSelection(kind, parameters);
}

function plainSelection(
  kind: KindDefinition,
  { selector, cursor, fieldSelectors, sort }: SelectionParameters,
): ListSelection {
  if (fieldSelectors.length > 0) throw notSelectable(kind, 'fieldSelector');
  if (sort !== undefined) throw notSelectable(kind, 'sort');
  const collection = collectionOf(kind);
  return {
    query: { selector, after: cursor === undefined ? 0 : decodeCursor(cursor, collection) },
    revealsContent: selector.length > 0,
    cursorAt: ({ after }) => encodeCursor(collection, after),
  };
}

/** Returns the problem of a parameter about fields in a kind that has none to select by. */
export function notSelectable({ kind }: KindDefinition, parameter: string): HttpProblem {
  return new HttpProblem(
    400,
    `The query parameter "${parameter}" is about selectable fields, and ${kind} has none.`,
  );
}
