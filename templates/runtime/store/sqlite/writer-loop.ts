import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from './batch-writer';
import type { Command } from '../command';
import { OpenFiles } from './open-files';
import { connect } from './driver';
import type { SqliteIndexing } from './indexing-parts';
import { makeDurable } from './setup';
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
