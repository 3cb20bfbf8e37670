import { hash } from 'node:crypto';
import type { ListPosition } from '../../api/reads/list-selection';
import { notACursor } from '../../http/request/query';
import type { ScalarType } from '../../model/kinds/kind-data';
import { bytesOf, keyFrom } from '../../store/indexing/key';
import type { ListQuery } from '../../store/store';

/** The list that a cursor belongs to: it is valid for the same selectors, order and version alone. */
interface CursorScope extends Pick<ListQuery, 'selector' | 'fields' | 'sort'> {
  /** The collection. */
  kind: string;
  version: string;
  /** The type of the field that sorts: keys of another type have another order. */
  sortType?: ScalarType;
}

/** Makes and reads the cursors of a list. They are opaque to clients. */
export class ListCursors {
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
