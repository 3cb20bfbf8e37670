import { BoundedCache } from '../../memory/bounded-cache';
import type { StoredResource } from '../../store/stored-resource';

/** JSON text with ages, which depend on the moment of a request: one stands between each two parts. */
export interface AgingText {
  parts: string[];
  /** The times from which the ages count, in milliseconds. */
  times: number[];
}

/** Size of an entry besides its texts, in characters. */
const OVERHEAD = 500;

/** A form, and the row that it was made of; the tag stands for the text. */
interface Made {
  form: AgingText;
  source: Omit<StoredResource, 'text'>;
}

/**
 * The forms in which Kubernetes clients have seen stored rows. Rows are read from the store for each request; a form of an earlier
 * request applies if the row is the same as then.
 */
export class RowForms {
  readonly #made: BoundedCache<Made>;

  /** `limit` is the maximum size of all forms, in characters. */
  constructor(limit: number) {
    this.#made = new BoundedCache<Made>(limit);
  }

  /** Returns a row in a form. `name` is that of the form, with the kind and the version. */
  of(name: string, row: StoredResource, make: (row: StoredResource) => AgingText): AgingText {
    const key = `${name} ${row.uid}`;
    const known = this.#made.get(key);
    if (known !== undefined && isSameRow(row, known.source)) return known.form;
    const form = make(row);
    const { text: _, ...source } = row;
    const length = form.parts.reduce((sum, part) => sum + part.length, JSON.stringify(source).length);
    this.#made.set(key, { form, source }, length + OVERHEAD);
    return form;
  }
}

/** Returns whether a row is the same as at an earlier read. The tag stands for the text. */
function isSameRow(row: StoredResource, earlier: Omit<StoredResource, 'text'>): boolean {
  return (
    row.position === earlier.position &&
    row.etag === earlier.etag &&
    row.kept === earlier.kept &&
    row.version === earlier.version
  );
}
