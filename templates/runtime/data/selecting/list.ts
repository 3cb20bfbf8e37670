import type { ListSelection, SelectionParameters } from '../../api/reads/list-selection';
import { collectionOf } from '../../model/kinds/kind';
import { selectableIn } from '../plan/kind-plan';
import { ListCursors } from './cursor';
import type { Words } from './named-field';
import { fieldRequirements } from './requirements';
import { parseSort } from './sort';

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
