import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from '../writes/batch-writer';
import type { Command } from '../../command';
import { OpenFiles } from '../file/open-files';
import { connect } from '../connection/driver';
import type { SqliteIndexing } from '../parts/indexing-parts';
import { makeDurable } from '../file/setup';
import { messageOf, type ThreadAnswer, type ThreadData } from './thread-message';

/**
 * Runs a BatchWriter on the database that a thread is started with. It reports when that is open. Then each message is a
 * batch and gets one response; null closes the database and ends the thread.
 */
export function serveBatches(entries?: SqliteIndexing['writer']): void {
  const { path, opened } = workerData as ThreadData;
  const port = parentPort!;
  const connection = connect(path);
  makeDurable(connection, path);
  const writer = new BatchWriter(connection, { files: new OpenFiles(opened), entries });

  port.postMessage('open' satisfies ThreadAnswer);
  port.on('message', (batch: Command[] | null) => {
    if (batch === null) {
      writer.close();
      connection.close();
      port.close();
      return;
    }
    port.postMessage(apply(writer, batch));
  });
}

function apply(writer: BatchWriter, batch: Command[]): ThreadAnswer {
  try {
    return writer.applyBatch(batch);
  } catch (error) {
    return { error: messageOf(error) };
  }
}
