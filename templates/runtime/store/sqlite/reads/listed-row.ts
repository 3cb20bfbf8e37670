import type { Listed, StoredResource } from '../../store';
import { rowBytes } from '../../stored-resource';

/** The text of a resource `r`, unless it has more bytes than the first parameter says. */
export const TEXT = `CASE WHEN octet_length(r.text) <= ? THEN r.text ELSE '' END AS text`;

const BYTES = rowBytes('r');

/** The columns of a row of a list. Its texts are left out if they have more bytes than both parameters say. */
export const COLUMNS = `r.id, r.uid, r.revision, r.version, CASE WHEN ${BYTES} <= ? THEN r.text ELSE '' END AS text,
  r.etag, CASE WHEN ${BYTES} <= ? THEN r.kept END AS kept, r.position, ${BYTES} AS bytes`;

/** The columns above. Drivers make an array in half the time of an object. */
export type ListedArray = [
  number,
  string,
  number,
  string,
  string,
  string,
  string | null,
  string | null,
  number,
];

/** The columns above, from a driver that makes no arrays. */
export type ListedRow = StoredResource & { bytes: number };

/** Makes a row of a list of these columns; an array may have others behind them. */
export function toListed(row: ListedRow | [...ListedArray, ...unknown[]]): Listed<StoredResource> {
  if (!Array.isArray(row)) {
    const { bytes, ...resource } = row;
    return resource.text === '' ? { ...resource, omitted: bytes } : resource;
  }
  const [id, uid, revision, version, text, etag, kept, position, bytes] = row;
  return text === ''
    ? { id, uid, revision, version, text, etag, kept, position, omitted: bytes }
    : { id, uid, revision, version, text, etag, kept, position };
}
