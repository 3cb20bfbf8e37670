import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from './batch-writer';
import type { Command } from './command';
import { DatabaseFile } from './database-check';
import { connect } from './sqlite-driver';
import { makeDurable } from './sqlite-setup';
import { messageOf, type ThreadAnswer } from './thread-message';

/*
 * What runs in the thread of a WriterThread: a BatchWriter on the database at the path that it is started with. Each
 * message is a batch and is answered by one; null closes the database and ends the thread.
 */

const path = workerData as string;
const port = parentPort!;
const connection = connect(path);
makeDurable(connection, path);
const file = new DatabaseFile(path);
const writer = new BatchWriter(connection, () => file.verify());

port.on('message', (batch: Command[] | null) => {
  if (batch === null) {
    writer.close();
    connection.close();
    port.close();
    return;
  }
  port.postMessage(apply(batch));
});

function apply(batch: Command[]): ThreadAnswer {
  try {
    return { results: writer.applyBatch(batch) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
