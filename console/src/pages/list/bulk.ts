import { ApiError } from '../../../../templates/client/errors';
import { tagIn } from '../../../../templates/client/etag';
import { type Collection, connection, isSame, pathOf, type Resource } from '../../data/api';
import { InTurn } from '../../data/in-turn';
import type { Row } from './list-data';

/** Requests at a time. */
export const AT_ONCE = 4;

/** The result of an action for one resource. */
export interface Outcome {
  row: Row;
  /** Absent where it succeeded. */
  error?: unknown;
}

/** A resource has changed since the list showed it. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/** Runs an action for each line; `onProgress` gets the number of those that are done. */
export async function forEach(
  rows: Row[],
  action: (row: Row) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<Outcome[]> {
  const turns = new InTurn(AT_ONCE);
  let done = 0;
  return Promise.all(
    rows.map((row) =>
      turns.run(async () => {
        const outcome = await action(row).then(
          () => ({ row }),
          (error: unknown) => ({ row, error }),
        );
        onProgress((done += 1));
        return outcome;
      }),
    ),
  );
}

/** Deletes a resource as the list shows it. Throws ChangedMeanwhile if it has changed since. */
export async function deleteShown(collection: Collection, { resource }: Row): Promise<void> {
  const path = pathOf(collection, resource.metadata.uid);
  const { value, headers } = await connection.send<Resource>({ method: 'GET', path });
  const changed = new ChangedMeanwhile(
    'It has changed since the list was read. Look at it, then delete it again.',
  );
  if (!isSame(value, resource)) throw changed;
  try {
    await connection.send({
      method: 'DELETE',
      path,
      headers: { 'If-Match': tagIn(headers) },
    });
  } catch (error) {
    throw error instanceof ApiError && error.status === 412 ? changed : error;
  }
}

/** Sets a label of a resource; null removes it. Other labels stay as they are in the service. */
export async function setLabel(
  collection: Collection,
  { resource }: Row,
  [key, value]: [key: string, value: string | null],
): Promise<void> {
  const path = pathOf(collection, resource.metadata.uid);
  const { headers } = await connection.send<Resource>({ method: 'GET', path });
  await connection.send({
    method: 'PATCH',
    path,
    headers: { 'If-Match': tagIn(headers) },
    body: { type: 'application/merge-patch+json', value: { metadata: { labels: { [key]: value } } } },
  });
}
