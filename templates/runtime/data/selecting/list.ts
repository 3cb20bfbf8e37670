import { hash } from 'node:crypto';
import type { ListPosition, ListSelection, SelectionParameters } from '../../api/reads/list-selection';
import { notACursor } from '../../http/request/query';
import { collectionOf } from '../../model/kinds/kind';
import type { ScalarType } from '../../model/kinds/kind-data';
import { HttpProblem } from '../../model/problem';
import { bytesOf, keyFrom } from '../../store/indexing/key';
import type { ListQuery, Sort } from '../../store/store';
import { selectableIn } from '../plan/kind-plan';
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

/** The list that a cursor belongs to: it is valid for the same selectors, order and version alone. */
interface CursorScope extends Pick<ListQuery, 'selector' | 'fields' | 'sort'> {
  /** The collection. */
  kind: string;
  version: string;
  /** The type of the field that sorts: keys of another type have another order. */
  sortType?: ScalarType;
}

/** Makes and reads the cursors of a list. They are opaque to clients. */
class ListCursors {
  readonly #list: string;

  constructor(private readonly scope: CursorScope) {
    const { kind, version, selector, fields, sort, sortType } = scope;
    const text = JSON.stringify([kind, version, selector, fields, sort && { ...sort, sortType }]);
    this.#list = hash('sha256', text, 'base64url').slice(0, 22);
  }

  /** Returns the cursor of a position. */
  encode({ after, afterKey }: ListPosition): string {
    const key = afterKey === undefined ? '' : Buffer.from(bytesOf(afterKey)).toString('base64url');
    return Buffer.from(`${after} ${key} ${this.#list}`).toString('base64url');
  }

  /** Returns the position of a cursor. Throws HttpProblem 400 for a cursor of another list, and anything else. */
  decode(cursor: string): ListPosition {
    const [id, key] = Buffer.from(cursor, 'base64url').toString().split(' ');
    const isSorted = this.scope.sort?.index !== undefined;
    const position: ListPosition = {
      after: Number(id),
      ...(isSorted && { afterKey: keyFrom(Buffer.from(key ?? '', 'base64url')) }),
    };
    const isPlace = Number.isSafeInteger(position.after) && position.after > 0;
    // Encoding again is the whole check: base64 is lenient.
    if (!isPlace || this.encode(position) !== cursor) throw notACursor();
    return position;
  }
}
