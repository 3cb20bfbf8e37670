import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from '../writes/batch-writer';
import type { Command } from '../../command';
import { OpenFiles } from '../file/open-files';
import { connect } from '../connection/driver';
import type { SqliteIndexing } from '../parts/indexing-parts';
import { makeDurable } from '../file/setup';
import { messageOf, type ThreadAnswer, type ThreadData, type ThreadMessage } from './thread-message';

/**
 * Runs a BatchWriter on the database that a thread is started with. It reports when that is open. Then each batch
 * gets one response; null closes the database and ends the thread.
 */
export function serveBatches(entries?: SqliteIndexing['writer']): void {
  const { path, opened } = workerData as ThreadData;
  const port = parentPort!;
  const connection = connect(path);
  makeDurable(connection, path);
  const writer = new BatchWriter(connection, { files: new OpenFiles(opened), entries });

  port.postMessage('open' satisfies ThreadAnswer);
  port.on('message', (message: ThreadMessage) => {
    if (message === null) {
      writer.close();
      connection.close();
      port.close();
      return;
    }
    if ('declared' in message) writer.declare(message.declared);
    else port.postMessage(apply(writer, message));
  });
}

function apply(writer: BatchWriter, batch: readonly Command[]): ThreadAnswer {
  try {
    return writer.applyBatch(batch);
  } catch (error) {
    return { error: messageOf(error) };
  }
}
